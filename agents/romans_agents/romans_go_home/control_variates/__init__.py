"""Control variates of Romans Go Home!, for chance and for the choices of known policies in a round."""
