from inkframe import analysis as analysis
from inkframe.client import Client as Client
from inkframe.connecting import connect as connect
from inkframe.errors import AuthenticationError as AuthenticationError
from inkframe.errors import ConfigurationError as ConfigurationError
from inkframe.errors import ConnectionFailed as ConnectionFailed
from inkframe.errors import DeadlineExceeded as DeadlineExceeded
from inkframe.errors import InkframeError as InkframeError
from inkframe.errors import InvalidArgument as InvalidArgument
from inkframe.errors import NotFound as NotFound
from inkframe.errors import OutcomeUnknown as OutcomeUnknown
from inkframe.errors import PermissionDenied as PermissionDenied
from inkframe.errors import RateLimited as RateLimited
from inkframe.errors import ServerError as ServerError
from inkframe.errors import ServiceError as ServiceError
from inkframe.errors import UnexpectedReply as UnexpectedReply
from inkframe.errors import ValidationFailed as ValidationFailed
from inkframe.library.plans import ALL as ALL
from inkframe.library.records import Document as Document
from inkframe.library.records import Image as Image
from inkframe.vocabulary import Vocabulary as Vocabulary
from inkframe.vocabulary.prompt import compose_prompt as compose_prompt
from inkframe.vocabulary.templates import Template as Template
from inkframe.wire.dialect import Dialect as Dialect

__version__: str
