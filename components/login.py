"""Signing in: one password, or Streamlit's own login. Without either, on this machine alone, one person is every role."""

from __future__ import annotations

import os
import time

import streamlit as st

from annotator.access import (
    EVERYONE,
    PASSWORD_VARIABLE,
    LoginBrake,
    Role,
    is_direct,
    is_loopback,
    is_signed,
    sign,
    verify_password,
)
from annotator.errors import UsageError
from components.notes import command_block, error_in_words
from components.state import Session

SIGNED_IN_SECONDS = 12 * 3600
COOKIE = "verbatim_signed_in"
# A reload begins a new session: the signed token is kept in a cookie of this site alone until it runs out.
_KEEP = st.components.v2.component(
    "verbatim_keep",
    js="""
export default function ({ data }) {
  document.cookie = `${data.name}=${data.token}; path=/; max-age=${data.seconds}; SameSite=Strict` + (location.protocol === 'https:' ? '; Secure' : '');
}
""",
)
RATER_ONLY = frozenset({Role.RATER})


def visitor_roles() -> frozenset[Role]:
    """What the visitor may be: everyone on an unguarded local server; after signing in, owner and researcher."""
    if stored := password_hash():
        return EVERYONE if _is_signed_in(stored) else RATER_ONLY
    if has_oidc():
        return EVERYONE if st.user.is_logged_in and _is_named() else RATER_ONLY
    return (
        EVERYONE
        if is_loopback(str(st.get_option("server.address") or "")) and is_direct(st.context.headers)
        else RATER_ONLY
    )


def password_hash() -> str:
    """The configured hash, `""` when none is set."""
    return os.environ.get(PASSWORD_VARIABLE, "").strip()


def has_oidc() -> bool:
    """Streamlit's own login is configured in a secrets file."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def ask_password() -> None:
    """Draw what lets this visitor in, or say why nothing does."""
    st.title("Sign in", anchor=False)
    if password_hash():
        _password_form()
    elif has_oidc():
        st.text("This page is for the owner and researchers of this project.")
        if st.user.is_logged_in:
            st.text("Your account is not on the list of this project (VERBATIM_ACCOUNTS). Ask its owner.")
            st.button("Sign out", on_click=st.logout)
        else:
            st.button("Sign in", type="primary", on_click=st.login)
    else:
        st.text(
            "Other machines can reach this server and it has no password, so only raters' links work. "
            "Make a password hash, set it, and start again:"
        )
        command_block(f"export {PASSWORD_VARIABLE}=$(python -m annotator password)")
    st.text("Rating for a study? Open the link that you were sent.")


def keep_signed_in() -> None:
    """After signing in or out: write the cookie, or take it away."""
    if st.session_state.pop(Session.KEEP, False):
        token = str(st.session_state.get(Session.SIGNED_IN, ""))
        seconds = SIGNED_IN_SECONDS if token else 0
        _KEEP(key="keep", data={"name": COOKIE, "token": token, "seconds": seconds}, height=1)


def sign_out_button() -> None:
    """Offer to sign out when there is something to sign out of."""
    if password_hash() and _is_signed_in(password_hash()):
        st.button("Sign out", icon=":material/logout:", on_click=_forget, key="sign-out")
    elif not password_hash() and has_oidc() and st.user.is_logged_in and _is_named():
        st.button("Sign out", icon=":material/logout:", on_click=st.logout, key="sign-out")


@st.cache_resource
def _brake() -> LoginBrake:
    return LoginBrake()


def _password_form() -> None:
    with st.form("sign-in", width=420):
        given = st.text_input("Password", type="password", key="password-given", autocomplete="current-password")
        sent = st.form_submit_button("Sign in", type="primary")
    if not sent:
        return
    began = time.time()
    wait = _brake().begin(began)
    if wait > 0:
        st.error(f"Too many wrong passwords. Try again in {wait:.0f} seconds.")
        return
    try:
        right = verify_password(given, password_hash())
    except UsageError as error:
        error_in_words(error)
        return
    if right:
        _brake().forgive(began)
        st.session_state[Session.SIGNED_IN] = sign(password_hash(), int(time.time()) + SIGNED_IN_SECONDS)
        st.session_state[Session.KEEP] = True
        st.rerun()
    st.error("That is not the password.")


def _is_signed_in(stored: str) -> bool:
    # Signing out in this session stands, though the browser still showed the cookie when the session began.
    token = st.session_state.get(Session.SIGNED_IN, st.context.cookies.get(COOKIE, ""))
    return is_signed(str(token), stored, time.time())


def _is_named() -> bool:
    """Whether the account's address is on the list. One that the provider has not verified may be anybody's."""
    email = str(st.user.get("email") or "")
    names = [name.strip().casefold() for name in os.environ.get("VERBATIM_ACCOUNTS", "").split(",") if name.strip()]
    return not names or (email.casefold() in names and st.user.get("email_verified") is not False)


def _forget() -> None:
    st.session_state[Session.SIGNED_IN] = ""
    st.session_state[Session.KEEP] = True
