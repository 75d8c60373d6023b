"""Games as tables of decisions, for other programs: `romans_training.data.parquet.export_decisions`."""
