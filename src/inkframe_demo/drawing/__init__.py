"""Turn the words of a description into shapes, and shapes into pixels."""
