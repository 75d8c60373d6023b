"""Drawing: pictures, pixels and replay pages, and a folder for each game."""
