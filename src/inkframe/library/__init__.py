"""The library of a service: images and documents, records and whole listings."""

from inkframe.library.description import Description
from inkframe.library.documents import Documents
from inkframe.library.images import Images
from inkframe.library.records import Document, Image
from inkframe.library.session import Session

__all__ = ["Description", "Document", "Documents", "Image", "Images", "Session"]
