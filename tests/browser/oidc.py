"""A small OpenID provider on this machine: discovery, authorize, token and keys; whoever comes is signed in at once."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "verbatim-client", "a secret of the client that nobody guesses"


class Provider:
    """What the provider knows. `claims` is the account that signs in next; `codes` are given once."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.key = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})
        self.claims: dict[str, Any] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.refused: list[str] = []

    def discovery(self) -> dict[str, Any]:
        """The document at `.well-known/openid-configuration`."""
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def authorize(self, asked: dict[str, str]) -> str:
        """The address to send the browser back to, with a code."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """Tokens for a code; `None` (and why in `refused`) when client, code or proof do not fit."""
        asked = self.codes.pop(form.get("code", ""), None)
        known = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or authorization not in (f"Basic {known}", f"Basic {_quoted()}"):
            self.refused.append("code or client")
            return None
        if asked.get("code_challenge") != proof or asked["redirect_uri"] != form.get("redirect_uri"):
            self.refused.append("proof or address")
            return None
        now = int(time.time())
        told = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked.get("nonce", "")}
        signed = jwt.encode({"alg": "RS256", "kid": "k1"}, {**told, **self.claims}, self.key)
        return {"access_token": "a", "token_type": "Bearer", "expires_in": 300, "id_token": signed}


def _quoted() -> str:
    from urllib.parse import quote_plus

    return base64.b64encode(f"{quote_plus(CLIENT)}:{quote_plus(SECRET)}".encode()).decode()


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/.well-known/openid-configuration":
            self._json(self.provider.discovery())
        elif parts.path == "/jwks":
            self._json({"keys": [self.provider.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            self.send_response(302)
            self.send_header("Location", self.provider.authorize(asked))
            self.end_headers()
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        tokens = self.provider.token(form, self.headers.get("Authorization", ""))
        self._json(tokens if tokens is not None else {"error": "invalid_grant"}, 200 if tokens is not None else 400)

    def _json(self, document: object, status: int = 200) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def provider_running() -> Iterator[Provider]:
    """A provider on a free port, until the block ends."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.provider = Provider(f"http://localhost:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield handler.provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
