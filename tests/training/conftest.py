"""What tests of training share."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Torch keeps to one thread, whatever a run's settings say: there are as many processes of tests as cores."""
    try:
        import torch
    except ImportError:
        yield
        return
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch, "set_num_threads", lambda number: None)
        yield


@pytest.fixture
def no_curves(monkeypatch):
    """Summaries of runs have empty pictures: drawing them takes longer than a short run does."""
    from matplotlib.figure import Figure

    from romans_training.learn import summary

    monkeypatch.setattr(summary, "learning_curve", lambda curves, fair_share: Figure(figsize=(1, 1)))
    monkeypatch.setattr(summary, "metric_curves", lambda curves: None)
