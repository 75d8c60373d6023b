"""Drawing: pictures, pixels and replay pages. Each game has a folder with its own drawings."""
