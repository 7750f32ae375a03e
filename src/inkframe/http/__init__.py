"""The http of inkframe."""
