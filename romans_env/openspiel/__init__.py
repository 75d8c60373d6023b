"""Any game of OpenSpiel as a game of this library: ``openspiel:NAME(key=value,...)``.

`family` makes the game of a name, `facts` and `probe` ask OpenSpiel about it in a process of its own, `rules` play it
over `places`, `views` say what a seat may know. docs/project/openspiel.md says what works.
"""
