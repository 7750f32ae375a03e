"""The replies of inkframe."""
