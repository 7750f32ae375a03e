"""The library on disk: one SQLite file of records, pictures, totals and search indexes."""

from inkframe.service.store.library import open_library
from inkframe.service.store.pool import LOCKED, Closed, Pool
from inkframe.service.store.records import Query, Records, Table

__all__ = ["LOCKED", "Closed", "Pool", "Query", "Records", "Table", "open_library"]
