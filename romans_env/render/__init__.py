"""Drawing: pictures, pixels and replay pages; the drawings of each game are in a folder of their own."""
