"""Players outside of this process: text environments, language models, programs, and files of a folder."""
