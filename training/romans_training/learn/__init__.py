"""Training: the trainer and its settings, masked PPO, self-play, run folders with checkpoints and metrics."""
