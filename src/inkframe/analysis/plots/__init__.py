"""A plot for each function of the analysis, readable in light and in dark notebooks."""
