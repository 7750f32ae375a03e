"""Texts by rule: the words, the dial, and the forms of the 52 templates."""
