"""What modules fix as data: the names that others use, constants, and the defaults of functions."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re

#: The types of the attributes of classes that are constants.
PLAIN = (bool, int, float, str, bytes, tuple)


def constants_of(package):
    """Return the constants and the defaults of each module of a package, as text."""
    start = f"{package.__name__}."
    names = sorted(found.name for found in pkgutil.walk_packages(package.__path__, start))
    return {name.removeprefix(start): _module(importlib.import_module(name)) for name in names}


def _module(module):
    found = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            inner = [each for target in targets for each in ast.walk(target)]
            names = [each.id for each in inner if isinstance(each, ast.Name)]
            found |= {name: _words(getattr(module, name)) for name in names if hasattr(module, name)}
        elif isinstance(node, ast.FunctionDef):
            found |= _defaults(node.name, getattr(module, node.name))
        elif isinstance(node, ast.ClassDef):
            kind = getattr(module, node.name)
            found |= _defaults(node.name, kind)
            for name, value in vars(kind).items():
                if inspect.isfunction(value) and name != "__init__":
                    found |= _defaults(f"{node.name}.{name}", value)
                elif isinstance(value, PLAIN) and not name.startswith(("__", "_esm", "_css")):
                    found[f"{node.name}.{name}"] = _words(value)
    return dict(sorted(found.items()))


def _defaults(name, function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    given = [f"{each.name}={_words(each.default)}" for each in parameters if each.default is not each.empty]
    return {f"{name}()": ", ".join(given)} if given else {}


def _words(value):
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(_words, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_words(key)}: {_words(item)}' for key, item in value.items())}}}"
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return f"[{', '.join(map(_words, value))}]"
    text = getattr(value, "__qualname__", "") or re.sub(r" at 0x\w+", "", repr(value))
    return text if len(text) <= 300 else f"{text[:300]}… {len(text)} characters"
