"""The HTTP API and the pages: routes, bodies of requests, and the guard."""
