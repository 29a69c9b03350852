"""A local server that speaks the chat protocol, or fails in a chosen way, request by request."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(text: str | None, **more: Any) -> bytes:
    """A chat completion whose message holds `text`."""
    message = {"role": "assistant", "content": text, **more}
    usage = {"prompt_tokens": 11, "completion_tokens": 3}
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}).encode()


class FakeEndpoint:
    """`script` holds one reply per request, the last one for all that follow: (status, body) or (status, body, headers);
    a body that is a float stalls for so many seconds before the headers, `b"drip"` sends a byte at a time."""

    def __init__(self, *script: tuple[Any, ...]) -> None:
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = ""
        self._lock = threading.Lock()

    def next(self, body: bytes, key: str) -> tuple[Any, ...]:
        with self._lock:
            self.requests.append(json.loads(body))
            self.keys.append(key)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    @contextmanager
    def serving(self) -> Iterator[FakeEndpoint]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                status, reply, *rest = fake.next(body, self.headers.get("authorization", ""))
                try:
                    if isinstance(reply, float):
                        time.sleep(reply)
                        reply = completion("late")
                    self.send_response(status)
                    for name, value in (rest[0] if rest else {}).items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(reply) if reply != b"drip" else 1000))
                    self.end_headers()
                    if reply == b"drip":
                        for _ in range(40):
                            self.wfile.write(b" ")
                            self.wfile.flush()
                            time.sleep(0.05)
                    else:
                        self.wfile.write(reply)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                return

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = False
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
