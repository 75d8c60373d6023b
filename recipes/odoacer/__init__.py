"""The networks of `odoacer`: who wins where a rollout ends, and where rollouts pay."""
