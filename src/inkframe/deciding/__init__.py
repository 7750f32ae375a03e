"""Decide between texts or pictures: scores, ratings, comparisons of groups, and a recommendation."""
