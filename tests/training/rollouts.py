"""Rollouts of decisions that need not belong to any game, and what their advantages are by the definition."""

import numpy as np

from romans_training.learn.self_play.rollout import Rollout


def drawn_decisions(rng, masks):
    """Legal actions at random; log-probabilities of 0 and random values."""
    actions = (rng.random(masks.shape) * masks).argmax(axis=1)
    return actions, np.zeros(len(masks), dtype=np.float32), rng.normal(size=len(masks)).astype(np.float32)


def random_rollout(rng, decide=None, length=30, num_games=7, num_seats=4, like=3, num_actions=2, others=0):
    """A rollout of random observations and masks, and the same as a story for each seat of each game.

    Args:
        rng: the random generator.
        decide: called with observations, masks and what the others observe; None: `drawn_decisions`.
        length: turns.
        num_games: games, most of which ask for a decision in a turn.
        num_seats: seats of every game.
        like: size of an observation.
        num_actions: of the action space, two at least of which are legal.
        others: size of what the other players observe together.
    """
    rollout = Rollout(length, num_games, num_seats, np.zeros(like, dtype=np.int8), num_actions, others)
    stories = {(game, seat): [] for game in range(num_games) for seat in range(num_seats)}
    row = 0
    for _ in range(length):
        games = np.flatnonzero(rng.random(num_games) < 0.8)
        seats = rng.integers(num_seats, size=games.size).astype(np.int8)
        observations, of_others = (rng.integers(0, 3, (games.size, size), dtype=np.int8) for size in (like, others))
        masks = rng.random((games.size, num_actions)) < 0.2
        masks[:, :2] = True
        decided = decide(observations, masks, of_others) if decide else drawn_decisions(rng, masks)
        rewards = rng.normal(size=(num_games, num_seats)).astype(np.float32)
        ended = rng.random(num_games) < 0.1
        for game, seat, value in zip(games.tolist(), seats.tolist(), decided[2].tolist(), strict=True):
            stories[game, seat].append(("decides", row, value))
            row += 1
        for game in range(num_games):
            for seat in range(num_seats):
                stories[game, seat].append(("earns", rewards[game, seat]))
                if ended[game]:
                    stories[game, seat].append(("ends",))
        rollout.add_turn(games, seats, decided, observations, masks, rewards, ended, of_others)
    return rollout, stories


def expected_advantages(stories, gamma, gae_lambda):
    """Advantages by row, by the definition: the sum of the temporal differences to come, weighted."""
    found = {}
    for story in stories.values():
        found |= _advantages_of_a_seat(story, gamma, gae_lambda)
    return found


def _advantages_of_a_seat(story, gamma, gae_lambda):
    steps = []
    for what in story:
        if what[0] == "decides":
            steps.append({"row": what[1], "value": what[2], "reward": 0.0, "last": False})
        elif steps and not steps[-1]["last"]:
            if what[0] == "earns":
                steps[-1]["reward"] += what[1]
            else:
                steps[-1]["last"] = True
    found = {}
    for k in range(len(steps)):
        total, weight = 0.0, 1.0
        for j in range(k, len(steps)):
            if j == len(steps) - 1 and not steps[j]["last"]:
                break
            after = 0.0 if steps[j]["last"] else steps[j + 1]["value"]
            total += weight * (steps[j]["reward"] + gamma * after - steps[j]["value"])
            weight *= gamma * gae_lambda
            if steps[j]["last"]:
                break
        if steps[k]["last"] or k + 1 < len(steps):
            found[steps[k]["row"]] = total
    return found
