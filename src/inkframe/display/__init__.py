"""Render records in notebooks and files: figures, galleries, texts, tables and reports.

This package is independent of any service. Records are mappings of their columns, and pictures are bytes or a
callable that returns bytes. Text is not trusted until cleaned, and pictures are not trusted until decoded.
The output loads nothing, runs nothing, and renders again without a kernel.
"""
