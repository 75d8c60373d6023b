"""One thread of torch here, too, and no curves."""

from tests.training.conftest import no_curves as no_curves
from tests.training.conftest import one_thread as one_thread
