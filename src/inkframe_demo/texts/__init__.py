"""Texts by rule: words, choices by creativity, and the forms of the 52 templates."""
