"""Players outside this process: language models, programs, agents hosted in another process, and text environments."""
