"""A whole bot without the SDK: python smallest.py CODE [URL]. It answers `turn` and ignores all else."""

import json
import random  # noqa: TID251  a program of its own
import sys

from websockets.sync.client import connect

room, url = sys.argv[1], (sys.argv[2:] or ["ws://localhost:7777"])[0]
with connect(url) as ws:
    ws.send(json.dumps({"t": "hello", "name": "smallest", "kind": "bot"}))
    for m in map(json.loads, ws):
        if m["t"] == "welcome":
            ws.send(json.dumps({"t": "join", "room": room}))
        if m["t"] == "turn":
            ws.send(json.dumps({"t": "act", "room": room, "rid": m["rid"], "act": random.randrange(len(m["legal"]))}))
        if m["t"] == "over":
            break
