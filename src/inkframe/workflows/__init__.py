"""The workflows of inkframe."""
