"""Command-line options for Romans Go Home!"""
