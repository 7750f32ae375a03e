"""Engines that draw pictures and write texts."""

from inkframe.service.engines.protocol import (
    DrawRequest,
    Engine,
    Refused,
    Unavailable,
    WriteRequest,
    find_engine,
)

__all__ = ["DrawRequest", "Engine", "Refused", "Unavailable", "WriteRequest", "find_engine"]
