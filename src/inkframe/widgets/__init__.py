"""Forms, browsers and grids, each of which shows the code that does the same."""
