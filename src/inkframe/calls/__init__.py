"""The calls of inkframe."""
