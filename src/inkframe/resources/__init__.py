"""The resources of inkframe."""
