"""What the search of rounds compiles, in a folder of its own: a change beside it leaves the compiled code as it is."""
