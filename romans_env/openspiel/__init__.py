"""Any OpenSpiel game as a game of this library: ``openspiel:NAME(key=value,...)``.

`family` creates the game for a name, `facts` and `probe` query OpenSpiel about it in a separate process, `rules` play
it with the cached states of `places`, and `views` are private views. docs/project/openspiel.md describes what is
supported.
"""
