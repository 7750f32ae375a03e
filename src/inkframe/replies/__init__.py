"""Parsing of replies: lists, records, values, and the response formats of services."""
