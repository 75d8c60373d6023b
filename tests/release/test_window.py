"""Windows, on a screen that nobody sees."""

import copy
import pickle

import gymnasium
import pytest

from romans_env import draw, romans_go_home_v0
from romans_env.envs import rendering

pygame = pytest.importorskip("pygame", reason="needs pygame; install the extra 'window'")


@pytest.fixture(autouse=True)
def screen(monkeypatch):
    """A screen that nobody sees."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(rendering, "RENDER_FPS", 1000)


@pytest.mark.parametrize("make", [romans_go_home_v0.raw_env, lambda **how: gymnasium.make("RomansGoHome-v0", **how)])
def test_human_rendering_opens_a_window_where_there_is_a_screen(make, capsys):
    env = make(render_mode="human")
    env.reset(seed=4)
    raw = env.unwrapped
    viewer = getattr(raw, "player", None)
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert (shown == draw(raw.position(viewer), viewer).pixels()).all()
    assert env.render() is None
    env.step(raw.legal_actions()[0])
    assert (pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1) != shown).any()
    assert "Round" not in capsys.readouterr().out
    env.close()
    assert not pygame.display.get_init()


def test_a_window_that_somebody_closes_stays_closed():
    env = romans_go_home_v0.raw_env(render_mode="human")
    env.reset(seed=5)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert not pygame.display.get_init()
    env.render()
    assert not pygame.display.get_init()


def test_copies_of_an_environment_with_a_window():
    env = romans_go_home_v0.raw_env(render_mode="human")
    env.reset(seed=6)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()):
        assert twin.position() == env.position()
        twin.step(twin.legal_actions()[0])
    env.close()
