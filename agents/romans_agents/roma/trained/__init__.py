"""The trained policy of Roma that comes with the package, with its model card."""
