"""From the words of a description to shapes, and from shapes to pixels."""
