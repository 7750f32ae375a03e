"""inkframe: generated pictures and texts in Jupyter.

::

    import inkframe as ink

    client = ink.connect()
    client.images.list(style="anime")
"""

#: Where each public name lives. Nothing is imported before it is used: a notebook starts at once.
_HOMES = {
    "ALL": "workflows.plans",
    "AuthenticationError": "errors",
    "Client": "client",
    "ConfigurationError": "errors",
    "ConnectionFailed": "errors",
    "CreativityTuner": "widgets.creativity_tuner",
    "DeadlineExceeded": "errors",
    "Dialect": "replies.dialect",
    "Document": "resources.records",
    "DocumentBrowser": "widgets.document_browser",
    "DocumentForm": "widgets.document_form",
    "Image": "resources.records",
    "ImageBrowser": "widgets.image_browser",
    "ImageForm": "widgets.image_form",
    "InkframeError": "errors",
    "InvalidArgument": "errors",
    "LookGrid": "widgets.look_grid",
    "NotFound": "errors",
    "OutcomeUnknown": "errors",
    "PermissionDenied": "errors",
    "RateLimited": "errors",
    "ServerError": "errors",
    "ServiceError": "errors",
    "Studio": "widgets.studio",
    "Template": "vocabulary.templates",
    "UnexpectedReply": "errors",
    "ValidationFailed": "errors",
    "Vocabulary": "vocabulary",
    "compare": "views",
    "compose_prompt": "vocabulary.prompt",
    "concat": "frames.concat",
    "connect": "connect_client",
    "contact_sheet": "views",
    "diff": "frames.diff",
    "load": "frames.snapshots",
    "open_file": "display.files",
    "plan_documents": "workflows.plans",
    "plan_images": "workflows.plans",
    "report": "views",
    "save": "frames.snapshots",
}
_ROOMS = ("analysis",)

__all__ = ["__version__", *_HOMES, *_ROOMS]  # noqa: PLE0604  # the tables hold strings
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOMES:
        home = _HOMES[name]
        value = getattr(import_module(f"inkframe.{home}"), name)
        if home.startswith(("frames.", "workflows.")):  # what returns frames, which have .ink
            from inkframe.accessor import register_accessor

            register_accessor()
    elif name in _ROOMS:
        value = import_module(f"inkframe.{name}")
    else:
        raise AttributeError(f"module 'inkframe' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: object) -> None:
    """Give a notebook ``%%document``, ``%%image``, ``%documents`` and ``%images``: ``%load_ext inkframe``."""
    from inkframe.magics import load

    load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Take them away again: ``%unload_ext inkframe``."""
    from inkframe.magics import unload

    unload(shell)
