"""A plot beside each function of the analysis: pages that read on light and on dark notebooks."""
