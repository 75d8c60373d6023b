"""Iterated improvement of a policy's plans in Romans Go Home! between two players, by the proximal-point method."""
