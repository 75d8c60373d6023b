"""Speed, measured side by side: our figures and those of peers, in turns within one run."""
