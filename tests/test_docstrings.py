"""Every public method has a docstring, its own or the one that it inherits."""

import importlib
import inspect
import pkgutil

import pytest

import romans_agents
import romans_env
import romans_serve
import romans_training

PACKAGES = (romans_env, romans_agents, romans_training, romans_serve)
MODULES = [
    module.name
    for package in PACKAGES
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
]


def methods(cls):
    """The public methods and properties that a class defines, with their docstrings; fields have functions, too."""
    for name, member in vars(cls).items():
        is_method = inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod)
        if is_method and not name.startswith("_") and name not in inspect.get_annotations(cls):
            yield name, inspect.getdoc(getattr(cls, name))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_public_method_has_a_docstring_or_inherits_one(package):
    without = []
    for name in MODULES:
        if name.startswith(package.__name__):
            for cls in vars(importlib.import_module(name)).values():
                if inspect.isclass(cls) and cls.__module__ == name and not cls.__name__.startswith("_"):
                    without += [f"{name}.{cls.__name__}.{method}" for method, text in methods(cls) if not text]
    assert without == []
