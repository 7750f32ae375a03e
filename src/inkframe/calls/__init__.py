"""The operations of the interface, on plain values."""
