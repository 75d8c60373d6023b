"""Opinions on a game for its replay page."""

from romans_env import Game, Opinion


def opinions_on(game):
    """Made-up ones: the n-th legal action is likely as 1/n, and the value falls with every decision."""
    again, opinions = Game(game.rules, deal=game.deal()), []
    for number, (_, action) in enumerate(game.actions):
        names = [again.action_name(legal) for legal in again.legal_actions()]
        opinions.append(Opinion("oracle", {name: 1 / (k + 1) for k, name in enumerate(names)}, 1 - number / 50))
        again.act(action)
    return opinions
