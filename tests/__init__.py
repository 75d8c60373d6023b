"""The tests of the project."""

import os

# Threads of numpy's and torch's products, here and in processes that tests start: there are as many processes of tests
# as cores, and threads beyond those wait for each other at full load, for several times as long as a product takes.
for _setting in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_setting, "1")
