"""The library: one SQLite file with records, pictures, totals and search indexes."""

from inkframe.service.store.inspection import Finding, inspect_library, repair_library
from inkframe.service.store.library import open_library, read_identity
from inkframe.service.store.pool import LOCKED, Closed, Pool
from inkframe.service.store.query import Query, Table
from inkframe.service.store.record_table import Records, picture_digest

__all__ = [
    "LOCKED",
    "Closed",
    "Finding",
    "Pool",
    "Query",
    "Records",
    "Table",
    "inspect_library",
    "open_library",
    "picture_digest",
    "read_identity",
    "repair_library",
]
