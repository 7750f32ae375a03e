"""Engines: parts that draw pictures and write texts."""

from inkframe.engines.failures import Refused, Unavailable
from inkframe.engines.protocol import DrawRequest, Engine, WriteRequest, find_engine

__all__ = ["DrawRequest", "Engine", "Refused", "Unavailable", "WriteRequest", "find_engine"]
