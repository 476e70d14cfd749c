"""A certificate that says what would be markup wherever the format lets a file say something."""

from __future__ import annotations

import json

HOSTILE = '</script></pre></title><script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'


def hostile_bytes(data: bytes) -> bytes:
    """A readable and false certificate: words of markup for rules, keys and the producer."""
    document = json.loads(data)
    document["producer"] = {HOSTILE: HOSTILE, "program": HOSTILE}
    document["steps"][0]["rule"] = HOSTILE
    for step in document["steps"][1:]:
        step["witness"][HOSTILE] = HOSTILE
        step["rule"] += HOSTILE if step["rule"] != "decomposition" else ""
    return json.dumps(document).encode()
