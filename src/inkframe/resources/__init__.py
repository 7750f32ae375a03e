"""The public collections and records: images and documents."""
