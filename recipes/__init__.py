"""The programs and settings that made the policies, values and networks of the package; not part of the wheel.

The model cards next to the policy files name the commands.
"""
