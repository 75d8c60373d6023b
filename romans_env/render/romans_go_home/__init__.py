"""Drawing and texts of Romans Go Home!"""
