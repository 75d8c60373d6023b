"""Games played through a text environment."""


def first_action(text):
    """The first legal action that a text lists."""
    return next(line[2:].partition(": ")[0] for line in text.splitlines() if line.startswith("- "))


def played(env, **start):
    """Every text of a game of first actions."""
    texts = [env.reset(**start)]
    while not env.is_over:
        texts.append(env.choose(first_action(texts[-1])))
    return texts
