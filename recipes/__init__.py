"""How the policies, values and networks of the package were made. Not in the wheel; cards name these commands."""
