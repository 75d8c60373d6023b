"""The core that all games share: the protocol of rules, the registry of games, `Game` and `View`, records, batches."""
