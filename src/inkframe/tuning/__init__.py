"""Tune creativity and looks side by side, and rate the results blind."""
