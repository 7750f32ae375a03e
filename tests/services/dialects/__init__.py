"""The wire dialects of the service.

``DIALECTS`` are those of common frameworks and services, whose pages can be fetched to the end by their own
rules. ``PLATFORMS`` are further ones, of content platforms, clouds and database gateways, ``FAMOUS`` those that were written
after the rule that reads them. ``ODDITIES`` are
services without any information about further pages, or with wrong information.
"""

from tests.services.dialects.famous import FAMOUS as _FAMOUS
from tests.services.dialects.headers import HEADERS
from tests.services.dialects.hypermedia import HYPERMEDIA
from tests.services.dialects.laravel import LARAVEL
from tests.services.dialects.oddities import ODD
from tests.services.dialects.plain import PLAIN
from tests.services.dialects.platforms import PLATFORMS as _PLATFORMS
from tests.services.dialects.python_frameworks import DJANGO, FASTAPI

__all__ = ["DIALECTS", "FAMOUS", "ODDITIES", "PLATFORMS", "find_dialect"]

_FAMILIES = (*LARAVEL, *DJANGO, *FASTAPI, *HEADERS, *HYPERMEDIA, *PLAIN)
#: Every dialect that can be fetched to the end, by name.
DIALECTS = {dialect.name: dialect for dialect in _FAMILIES}
#: Every odd service, by name.
ODDITIES = {dialect.name: dialect for dialect in ODD}
#: Every dialect of a platform, by name.
PLATFORMS = {dialect.name: dialect for dialect in _PLATFORMS}

#: Every dialect of a famous service, by name.
FAMOUS = {dialect.name: dialect for dialect in _FAMOUS}


def find_dialect(name):
    """Return the dialect with a name."""
    return {**DIALECTS, **ODDITIES, **PLATFORMS, **FAMOUS}[name]
