"""Worker pool, limiter and cancellation: how jobs run in parallel."""
