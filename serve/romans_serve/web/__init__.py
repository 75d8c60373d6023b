"""The HTTP API and its pages: routes, bodies of requests, the guard."""
