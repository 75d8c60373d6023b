"""One thread of torch here, too."""

from tests.training.conftest import one_thread as one_thread
