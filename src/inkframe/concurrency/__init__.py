"""The concurrency of inkframe."""
