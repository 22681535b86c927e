"""One room, without I/O and without a clock: seats, matches, clocks, records, and what each person is shown."""
