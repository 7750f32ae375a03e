"""Workflows of several requests: listings, batches, write-back and downloads."""
