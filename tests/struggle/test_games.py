"""Games of Struggle for Rome as a whole."""

from tests.struggle.stages import decisions, new_game


def test_the_dice_of_a_round_do_not_depend_on_what_was_played():
    dice = {}
    for choices in range(4):
        game, markers = new_game(seed=9, max_rounds=8), {}
        for _ in decisions(game, choices):
            position = game.position()
            if position["phase"] > 1:
                markers[position["round"]] = position["markers"]
        for number, found in markers.items():
            assert found == dice.setdefault(number, found) and len(found) == 4
    assert len(dice) == 8 and len(set(map(tuple, dice.values()))) > 4
