"""Speed of a game on this machine, beside other libraries: what ``romans benchmark`` measures."""
