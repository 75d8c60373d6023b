"""Games in the browser: kept in a database, played by people and agents, watched by anybody.

It knows the protocol of games, never a game; agents come in from above, as a `romans_serve.thinking.Thinker`.
"""
