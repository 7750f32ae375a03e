"""Explore a frame: vectors, topics, clusters, outliers, a map, facets, and the panel that joins them."""
