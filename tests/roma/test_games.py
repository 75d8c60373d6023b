"""Games of Roma as a whole: their dice, and how long they last."""

from tests.roma import invariants
from tests.roma.stages import Lcg, decisions, new_game


def test_the_dice_of_a_turn_do_not_depend_on_what_was_played():
    dice = {}
    for choices in range(12):
        game, turn = new_game(seed=9), 0
        for _ in decisions(game, choices):
            position = game.position()
            if position["turn"] > turn:
                turn = position["turn"]
                assert position["dice"] == dice.setdefault(turn, position["dice"]) and len(position["dice"]) == 3
    assert len(dice) >= 10


def test_a_game_may_last_200_turns():
    game = new_game(seed=0)
    while not game.is_over:
        # Full discs cost nothing, and nobody gets points.
        position = game.position()
        actions = game.legal_actions()
        kind = position["decision"]["kind"]
        if kind == "main":
            discs = position["players"][game.agent_to_act]["discs"]
            free = [a for a in actions if 25 <= a < 175 and discs[(a - 25) % 6] is None]
            safe = [a for a in actions if a < 189 or a == 195]
            game.act(free[0] if free else safe[-1] if Lcg(len(game.actions)).below(4) == 0 else safe[0])
        else:
            game.act(actions[0])
    assert game.is_over
    invariants.check(game)
