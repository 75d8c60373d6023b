"""The policy of Roma, and the value of its positions."""
