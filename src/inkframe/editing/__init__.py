"""Changes to many records: edited frames pushed to the service, deletions and downloads."""
