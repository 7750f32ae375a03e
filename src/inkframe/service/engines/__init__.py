"""Engines: parts that draw pictures and write texts."""

from inkframe.service.engines.engine import DrawRequest, Engine, WriteRequest, find_engine
from inkframe.service.engines.troubles import Refused, Unavailable

__all__ = ["DrawRequest", "Engine", "Refused", "Unavailable", "WriteRequest", "find_engine"]
