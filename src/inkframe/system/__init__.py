"""What every part needs of the system: files, locks, forks, and which addresses are public."""
