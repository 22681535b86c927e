"""Line mode: the client for pipes, screen readers and ``--plain``. May import ``replays`` and below."""
