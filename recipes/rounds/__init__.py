"""The networks that rounds are searched with."""
