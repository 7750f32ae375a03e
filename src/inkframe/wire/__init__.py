"""The conversation with a service: one place that sends, pure readers of what comes back."""

from inkframe.wire.address import Address
from inkframe.wire.conversation import Conversation, Timeouts
from inkframe.wire.dialect import Dialect
from inkframe.wire.fields import DOCUMENTS, IMAGES, Kind
from inkframe.wire.key import Key
from inkframe.wire.pages import Page
from inkframe.wire.resource import Record, Resource

__all__ = [
    "DOCUMENTS",
    "IMAGES",
    "Address",
    "Conversation",
    "Dialect",
    "Key",
    "Kind",
    "Page",
    "Record",
    "Resource",
    "Timeouts",
]
