"""The library: one SQLite file with records, pictures, and folded texts for searches."""

from inkframe.service.store.library import check_library, open_library, read_identity
from inkframe.service.store.pool import LOCKED, Closed, Pool
from inkframe.service.store.record_table import Query, RecordTable, Table, picture_digest

__all__ = [
    "LOCKED",
    "Closed",
    "Pool",
    "Query",
    "RecordTable",
    "Table",
    "check_library",
    "open_library",
    "picture_digest",
    "read_identity",
]
