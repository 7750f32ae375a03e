"""Small libraries for the tests of the analysis."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from PIL import Image

from inkframe.versions import text_type

#: The fixtures, which a folder's conftest takes all together.
__all__ = ["address", "column", "documents", "images", "pictures"]

SENTENCES = (
    "The kettle boils one liter in four minutes.",
    "It is made of brushed steel.",
    "The handle stays cool to the touch.",
    "A light shows when the water is ready.",
    "Morning begins before the whistle.",
    "Steel keeps the light of the window.",
    "The first cup is already yours.",
    "Its lid opens wide for cleaning.",
)


@pytest.fixture(scope="session")
def address():
    """Lincoln's Gettysburg Address (1863), in the words of the Bliss copy."""
    return (Path(__file__).parent / "analysis" / "gettysburg.txt").read_text(encoding="utf-8")


@pytest.fixture
def column():
    """Return a function that converts texts to an Arrow column."""
    return lambda *texts: pa.chunked_array([pa.array(texts, pa.large_string())])


@pytest.fixture
def documents():
    """Sixty documents of three templates: two prompts at the five levels, six repeats each."""
    random = np.random.default_rng(4)
    levels = np.tile([0, 0.25, 0.5, 0.75, 1], 12)
    results = []
    for level in levels:
        pool = 3 + int(level * 5)
        results.append(" ".join(SENTENCES[at] for at in random.permutation(pool)[: 3 + int(2 * level)]))
    templates = ["FAQ", "Slogan", "Freestyle"]
    return pd.DataFrame(
        {
            "name": [f"Kettle {number}" for number in range(60)],
            "template": pd.Categorical(np.repeat(templates, 20), ["Freestyle", "FAQ", "Slogan", "Review"]),
            "prompt": np.repeat(["Product text for a kettle", "Care of a kettle"], 30),
            "creativity": levels,
            "result": results,
            "favorite": pd.array(random.random(60) < 0.3, "boolean"),
            "created_at": pd.date_range("2026-01-05", periods=60, freq="D", tz="UTC").as_unit("us"),
        },
        index=pd.Index(range(101, 161), name="id"),
    ).astype({"name": text_type(), "prompt": text_type(), "result": text_type()})


@pytest.fixture
def images():
    """Four images in two styles, one without a medium."""
    return pd.DataFrame(
        {
            "name": ["Harbor", "Orchard", "Harbor again", "Night"],
            "description": ["a harbor at dawn", "apple trees", "a harbor at dawn", "stars"],
            "resolution": ["512x512", "1024x1024", "512x512", "256x256"],
            "style": pd.Categorical(["anime", "retro", "anime", "anime"], ["anime", "retro", "sketch"]),
            "medium": pd.Categorical(["ink", None, "ink", "chalk"], ["chalk", "ink"]),
            "filter": [None, "sepia", None, None],
            "favorite": pd.array([True, False, True, None], "boolean"),
            "created_at": pd.to_datetime(["2024-01-01", "2024-01-20", "2024-03-02", "2024-03-03"], utc=True),
        },
        index=pd.Index(["a", "b", "c", "d"], text_type(), name="id"),
    )


@pytest.fixture
def pictures():
    """The pictures of ``images``: two drawings of one harbor, and two others."""
    down = np.linspace(0, 255, 64)[:, None] * np.ones((1, 64))
    across = down.T
    waves = 127 + 120 * np.sin(down / 18) * np.cos(across / 30)

    def draw(red, green, blue):
        return Image.fromarray(np.stack([red, green, blue], axis=2).astype(np.uint8))

    harbor = draw(waves, across, down)
    return {
        "a": harbor,
        "b": draw(across, waves, 255 - down),
        "c": harbor.resize((160, 160), Image.Resampling.BICUBIC),
        "d": draw(down * 0, down * 0, across / 4),
    }
