"""Requests and replies over HTTP: keys, retries, deadlines and errors."""
