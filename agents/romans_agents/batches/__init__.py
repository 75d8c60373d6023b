"""Many games at once: batches for learners, the arena of agents against each other, and its adjudicator."""
