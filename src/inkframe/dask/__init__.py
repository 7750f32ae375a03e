"""Libraries beyond one machine: lazy dask DataFrames whose parts are fetched by the workers.

``client.documents.to_dask()`` plans one. Workers find the key themselves, as ``share_key`` says.
"""

from inkframe.dask.key_sharing import share_key
from inkframe.dask.lazy_frame import to_dask

__all__ = ["share_key", "to_dask"]
