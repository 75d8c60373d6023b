"""The trained policy of Roma, and the value function of its positions."""
