"""Creates, each paid for once: plans, single creates, batches with a journal, and the search for lost ones."""
