"""Control variates of Romans Go Home!: what chance and known policies made of a round, against what they might have."""
