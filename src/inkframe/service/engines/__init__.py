"""Engines: parts that draw pictures and write texts."""

from inkframe.service.engines.engine import DrawRequest, Engine, WriteRequest, find_engine

__all__ = ["DrawRequest", "Engine", "WriteRequest", "find_engine"]
