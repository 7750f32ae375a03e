"""inkframe: generated images and documents in Jupyter.

::

    import inkframe as ink

    client = ink.connect()
    client.images.list(style="anime")
"""

#: The module of each public name. Names are imported at first use, so that ``import inkframe`` is fast.
_MODULES = {
    "ALL": "creating.plans",
    "AuthenticationError": "errors",
    "BatchCancelled": "errors",
    "BatchInterrupted": "errors",
    "Client": "client",
    "ConfigurationError": "errors",
    "ConnectionFailed": "errors",
    "CreativityTuner": "tuning.creativity_tuner",
    "DeadlineExceeded": "errors",
    "Dialect": "replies.dialect",
    "Document": "resources.records",
    "DocumentBrowser": "widgets.browsers",
    "DocumentForm": "widgets.forms",
    "Explorer": "exploring.explorer",
    "Image": "resources.records",
    "ImageBrowser": "widgets.browsers",
    "ImageForm": "widgets.forms",
    "InkframeError": "errors",
    "InvalidArgument": "errors",
    "Job": "creating.job",
    "ListingInterrupted": "errors",
    "LookGrid": "tuning.look_grid",
    "NotFound": "errors",
    "OutcomeUnknown": "errors",
    "PermissionDenied": "errors",
    "RateLimited": "errors",
    "RatingPanel": "deciding.rating_panel",
    "ServerError": "errors",
    "ServiceError": "errors",
    "ServiceReport": "resources.check",
    "Sheet": "widgets.sheet",
    "Studio": "notebook.studio",
    "Template": "vocabulary.vocabulary",
    "UnexpectedReply": "errors",
    "ValidationFailed": "errors",
    "Vocabulary": "vocabulary",
    "compare": "resources.views",
    "compose_prompt": "vocabulary.prompt",
    "concat": "frames.concat",
    "connect": "client",
    "contact_sheet": "resources.views",
    "diff": "frames.concat",
    "embedder": "exploring.embed",
    "load": "frames.snapshots",
    "load_ratings": "deciding.ratings",
    "open_file": "display.files",
    "plan_documents": "creating.plans",
    "plan_images": "creating.plans",
    "read_table": "frames.spreadsheets",
    "report": "resources.views",
    "save": "frames.snapshots",
    "score": "deciding.scorers",
}
#: The module that each of these names is.
_PACKAGES = {"analysis": "analysis", "scorers": "deciding.scorers"}

__all__ = ["__version__", *_MODULES, *_PACKAGES]  # noqa: PLE0604  # all entries are strings
__version__ = "0.4.0.dev0"


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        module = _MODULES[name]
        value = getattr(import_module(f"inkframe.{module}"), name)
        if module.startswith(
            ("frames.", "creating.", "deciding.scorers")
        ):  # these return frames, which need .ink
            from inkframe.resources.accessor import register_accessor

            register_accessor()
        if module.startswith(("client", "creating.")):  # these lead to jobs
            from inkframe.notebook import offer_outcomes

            offer_outcomes()
        if name == "connect":
            from inkframe.notebook import offer_completion

            offer_completion()
    elif name in _PACKAGES:
        value = import_module(f"inkframe.{_PACKAGES[name]}")
    elif name.startswith("_"):
        raise AttributeError(f"module 'inkframe' has no attribute {name!r}")
    else:
        from inkframe.errors import wrong_name

        raise wrong_name(name, __all__)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: object) -> None:
    """Register ``%%document``, ``%%image``, ``%documents`` and ``%images``, for ``%load_ext inkframe``."""
    from inkframe.notebook.magics import load

    load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Remove the magics, for ``%unload_ext inkframe``."""
    from inkframe.notebook.magics import unload

    unload(shell)
