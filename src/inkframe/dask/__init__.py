"""Lazy dask DataFrames of listings, whose partitions are fetched by the workers.

``client.documents.to_dask()`` creates one. Workers find the key as described in ``share_key``.
"""

from inkframe.dask.lazy_frame import share_key, to_dask

__all__ = ["share_key", "to_dask"]
