"""Many games at once: batches for learners, and an arena in which agents play each other under an adjudicator."""
