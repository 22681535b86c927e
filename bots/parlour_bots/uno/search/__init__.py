"""``search``: ``player`` decides, ``belief`` deals worlds that fit what was seen, ``playout`` plays them on."""
