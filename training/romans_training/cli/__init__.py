"""The command line ``romans``, built with click; rich draws its tables and progress bars."""
