"""The command line ``romans``, made with click; tables and progress bars are rich's."""
