"""One thread of torch in each process of tests: where there are more threads than cores, they wait for each other."""

import contextlib

import pytest


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    with contextlib.suppress(ImportError):
        import torch

        torch.set_num_threads(1)
