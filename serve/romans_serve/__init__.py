"""Games in the browser: kept in a database, played by people and agents, watched by anybody.

It knows the protocol of games, never a game. From a request to a game:

- ``command`` starts the server, ``app`` and ``requests`` are its HTTP API, ``security`` its guard, ``page/`` the page.
- ``service`` creates, loads and lists games; ``live`` is one in memory, with its seats' tokens and those who look on.
- ``playing`` changes a game and writes it to the ``store``; ``agent_runs`` lets its agents play.
- ``served_game`` is the game with what every viewer has been shown; ``views`` writes that as JSON, ``streams`` send it.
- ``thinking`` says what a server asks of agents and offers to play; ``thinkers/`` asks them in worker processes.
"""
