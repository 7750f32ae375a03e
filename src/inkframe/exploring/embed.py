"""Vectors of texts or pictures: similar records have similar vectors. Long computations are stored by their content."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pyarrow as pa

from inkframe.analysis.term_weights import Terms, read_terms
from inkframe.analysis.validation import (
    Pictures,
    align_vectors,
    annotate,
    each_picture,
    left_out,
    read_texts,
    require,
    whole,
)
from inkframe.analysis.words import word_counts
from inkframe.errors import (
    ConfigurationError,
    InvalidArgument,
    ServiceError,
    UnexpectedReply,
    checked,
    optional_library,
)
from inkframe.frames import ids_of_pictures
from inkframe.system.files import FileCache, home_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.openai.endpoint import Endpoint


__all__ = [
    "Embedder",
    "content_key",
    "embed",
    "embedder",
    "picture_values",
    "read_vectors",
    "require_sklearn",
    "stored",
    "term_matrix",
]

#: Words in more than this share of the texts, or in only one, do not distinguish texts.
COMMON: Final = 0.5
#: Pixels along a side of the copy of a picture, and levels of each color channel.
SIDE, LEVELS = 8, 4
UNSPACED: Final = "Scripts without spaces between words are split into pairs of letters."
#: The maximum number of bytes of stored results.
ON_DISK: Final = 200_000_000
#: Results of less work than this many values are not stored.
WORTHWHILE: Final = 2_000
#: The setting of the model that ``embedder`` asks.
MODEL: Final = "INKFRAME_OPENAI_EMBEDDING_MODEL"


@checked
def embed(
    frame: pd.DataFrame,
    *,
    column: str | None = None,
    pictures: Pictures | None = None,
    dimensions: int = 50,
    random_state: int = 0,
) -> pd.DataFrame:
    """Compute a vector for each record; records about the same things have similar vectors.

    Texts are weighted by TF-IDF (sublinear term frequency, words in more than half of the texts or in only one
    left out) and reduced by a truncated singular value decomposition: latent semantic analysis, S. Deerwester
    and others, 1990. Images have their description and settings as text; with ``pictures`` their colors and
    shapes are used: an 8 by 8 copy and a histogram of 64 colors, reduced the same way.

    Args:
        frame: Documents, images, or any frame with a column of texts.
        column: The column of texts; by default ``result``, or the description and settings of images.
        pictures: Bytes or PIL pictures by id, as a mapping, a Series or a function of the id.
        dimensions: The maximum number of columns; small frames have fewer.
        random_state: The seed of the decomposition.

    Returns:
        A frame with the index of the given frame and the columns ``v1``, ``v2``, …; each row has length 1, or
        is NA without text or picture.

    Raises:
        InvalidArgument: The column is missing, or no record has a text.
        ConfigurationError: scikit-learn is not installed.
    """
    require_sklearn()
    whole("dimensions", dimensions)
    require(frame)
    kind, what = ("texts", "text") if pictures is None else ("pictures", "a picture")
    values: Any
    values, present = (
        read_texts(frame, column) if pictures is None else picture_values(frame, pictures, column)
    )
    if not present.any():
        raise InvalidArgument("No record has a text or picture.\nPass a frame with texts, or pictures=….")
    note = left_out(int(present.sum()), frame, what)
    if pictures is None and not note and not word_counts(values)[1].all():
        note = UNSPACED

    def compute() -> NDArray[Any]:
        matrix = term_matrix(read_terms(values)) if pictures is None else values
        return _reduced(matrix, dimensions, random_state)

    settings = (kind, content_key(values), dimensions, random_state)
    vectors = stored("vectors", content_key(*settings), compute)
    vectors[~present] = np.nan
    names = [f"v{number}" for number in range(1, vectors.shape[1] + 1)]
    return annotate(pd.DataFrame(vectors, frame.index, names), {}, note)


def read_vectors(
    frame: pd.DataFrame,
    vectors: Any,
    column: str | None,
    random_state: int,
    progress: Callable[[float], object] = lambda _share: None,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return the vectors of a frame, as ``align_vectors`` does; those of ``embed`` where there are no own ones."""
    own = embed(frame, column=column, random_state=random_state) if vectors is None else vectors
    return align_vectors(frame, own, column, progress)


def term_matrix(terms: Terms) -> Any:
    """Return the TF-IDF weights as a sparse matrix of texts and distinguishing words."""
    from scipy.sparse import csr_matrix

    holding = np.bincount(terms.words, minlength=len(terms.vocabulary))
    kept = (holding > 1) & (holding <= max(COMMON * terms.size, 2))
    if not kept.any():
        kept = holding > 0
    columns = np.cumsum(kept) - 1
    used = kept[terms.words]
    places = (terms.texts[used], columns[terms.words[used]])
    return csr_matrix((terms.weights(terms.size)[used], places), shape=(terms.size, max(int(kept.sum()), 1)))


def require_sklearn() -> None:
    """Raise an error with the install command if scikit-learn is missing.

    Raises:
        ConfigurationError: It is not installed.
    """
    optional_library(
        "sklearn",
        "Topics and maps need scikit-learn, which is not installed.\n"
        'Install it: pip install "inkframe[explore]"',
    )


def _reduced(values: Any, dimensions: int, random_state: int) -> NDArray[np.float32]:
    """Return rows of length 1 with at most so many dimensions."""
    from sklearn.decomposition import TruncatedSVD

    most = min(dimensions, *(side - 1 for side in values.shape))
    if most < 1:
        return np.ones((values.shape[0], 1), np.float32)
    vectors = TruncatedSVD(most, random_state=random_state).fit_transform(values)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, lengths, where=lengths > 0, out=np.zeros_like(vectors)), np.float32)


def picture_values(
    frame: pd.DataFrame, pictures: Pictures, column: str | None = None
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return a small copy and the square roots of a color histogram for each picture."""
    from PIL.Image import Resampling

    values = np.zeros((len(frame), SIDE * SIDE * 3 + LEVELS**3), np.float32)
    present = np.zeros(len(frame), np.bool_)
    for position, picture in each_picture(ids_of_pictures(frame, column), pictures, 4 * SIDE):
        pixels = np.asarray(picture.resize((SIDE, SIDE), Resampling.BOX), np.float32).reshape(-1, 3)
        colors = np.asarray(picture.resize((4 * SIDE, 4 * SIDE), Resampling.BOX), np.int64).reshape(-1, 3)
        cells = (colors * LEVELS // 256) @ np.array([LEVELS**2, LEVELS, 1])
        histogram = np.sqrt(np.bincount(cells, minlength=LEVELS**3) / len(colors))
        shape = (pixels - pixels.mean(axis=0)) / 255
        values[position] = np.concatenate([shape.ravel() / SIDE, histogram])
        present[position] = True
    return values, present


def content_key(*parts: object) -> str:
    """Return a hash of texts, arrays and settings that is the same in every process."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype.str}{part.shape}".encode() + np.ascontiguousarray(part).tobytes())
        else:
            for each in part.to_pylist() if isinstance(part, pa.ChunkedArray) else [part]:
                digest.update(repr(each).encode("utf-8", "replace"))
        digest.update(b"\0")
    return digest.hexdigest()[:40]


def stored(name: str, key: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return a result that was computed before, else compute and store it.

    A file that is missing, damaged or cannot be written only costs the time to compute the result again.

    Args:
        name: The kind of result, the first part of the file's name.
        key: The hash of all that it depends on.
        compute: Computes it.
    """
    files, file = FileCache(home_folder() / "cache", ON_DISK), f"{name}-{key}.npy"
    with suppress(OSError, ValueError, EOFError):  # the file is missing or damaged
        kept: NDArray[Any] = np.load(io.BytesIO(files.get(file) or b""), allow_pickle=False)
        return kept
    found = compute()
    if found.size >= WORTHWHILE:
        buffer = io.BytesIO()
        np.save(buffer, found, allow_pickle=False)
        files.put(file, buffer.getvalue())
    return found


@dataclass(frozen=True)
class Embedder:
    """A model behind an endpoint, as a function from texts to vectors; equal ones share the vectors that they know.

    Args:
        model: The model.
        base_url: The address of the endpoint.
        opened: Opens a connection to it.
    """

    model: str
    base_url: str
    opened: Callable[[], Endpoint] = field(repr=False, compare=False)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array with a row for each text.

        Raises:
            ServiceError: The endpoint did not answer, or declined.
            UnexpectedReply: It answered without vectors.
        """
        from inkframe.service.engines import Refused, Unavailable

        try:
            with closing(self.opened()) as endpoint:
                rows = endpoint.post("/embeddings", {"model": self.model, "input": list(texts)}).get("data")
            ordered = sorted(enumerate(rows or ()), key=lambda row: row[1].get("index", row[0]))
            return np.array([row["embedding"] for _, row in ordered], np.float32)
        except (Refused, Unavailable) as trouble:
            # The address may be an argument.
            said = str(trouble).replace(
                "Check INKFRAME_OPENAI_BASE_URL", f"Check the address {self.base_url}"
            )
            raise ServiceError(said, status=getattr(trouble, "status", 422)) from None
        except (AttributeError, KeyError, TypeError, ValueError):
            raise UnexpectedReply(
                f"{urlsplit(self.base_url).netloc} returned no vectors.\n"
                f"Check that {self.model!r} is a model for embeddings."
            ) from None


@checked
def embedder(model: str | None = None, base_url: str | None = None) -> Embedder:
    """Return a function from texts to vectors by the model of an OpenAI-compatible endpoint, for ``vectors=``.

    The key is that of the engine ``openai``, and goes to the address that it is set for only.

    Args:
        model: The model; by default ``INKFRAME_OPENAI_EMBEDDING_MODEL``.
        base_url: The address of the endpoint; by default that of the engine ``openai``: a setting, or the only model
            server on this machine.

    Raises:
        ConfigurationError: No model is named, or it is not clear which endpoint is meant.

    Example:
        >>> embed = ink.embedder("nomic-embed-text", "http://localhost:11434/v1")
        >>> explorer = ink.Explorer(documents, vectors=embed)
    """
    from inkframe.service.engines.openai import (  # the service, which nothing else here needs
        endpoint,
        settings,
    )

    wanted = model or settings.setting(MODEL)
    if not wanted:
        raise ConfigurationError(
            f'embedder requires a model.\nPass one, such as ink.embedder("nomic-embed-text"), or set {MODEL}.'
        )
    place = settings.find_place(base_url or "", wanted)
    opened = partial(endpoint.Endpoint, place.base_url, place.key, settings.read_timeout())
    return Embedder(wanted, place.base_url, opened)
