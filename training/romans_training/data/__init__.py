"""Games as tables of decisions for other programs; see `romans_training.data.parquet.export_decisions`."""
