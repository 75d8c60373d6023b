"""How good an agent is: one number, on a scale of opponents whose games were played once and for all."""
