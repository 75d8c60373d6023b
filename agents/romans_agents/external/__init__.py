"""Players outside of this process: text environments, language models, and programs that speak JSON lines."""
