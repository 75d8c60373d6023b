"""Options of commands and analyses of Romans Go Home!"""
