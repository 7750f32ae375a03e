"""Places: each adds its shapes to the stage, and defines where things can stand."""
