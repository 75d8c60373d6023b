"""What every game shares: the protocol of its rules, the registry of games, `Game` and `View`, records, batches."""
