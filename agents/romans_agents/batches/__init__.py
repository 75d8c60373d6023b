"""Many games at once: batches for learners, and an arena with an adjudicator where agents play each other."""
