"""Agents for games of OpenSpiel."""
