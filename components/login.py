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
    is_loopback,
    is_signed,
    sign,
    verify_password,
)
from annotator.errors import UsageError
from components.notes import command_block, error_in_words
from components.state import Session

SIGNED_IN_SECONDS = 12 * 3600
RATER_ONLY = frozenset({Role.RATER})


def visitor_roles() -> frozenset[Role]:
    """What the visitor may be: everyone on an unguarded local server; after signing in, owner and researcher."""
    if stored := password_hash():
        return EVERYONE if _is_signed_in(stored) else RATER_ONLY
    if has_oidc():
        return EVERYONE if st.user.is_logged_in and _is_named(str(st.user.get("email", ""))) else RATER_ONLY
    return EVERYONE if is_loopback(str(st.get_option("server.address") or "")) else RATER_ONLY


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


def sign_out_button() -> None:
    """Offer to sign out when there is something to sign out of."""
    if password_hash() and _is_signed_in(password_hash()):
        st.button("Sign out", icon=":material/logout:", on_click=_forget, key="sign-out")


@st.cache_resource
def _brake() -> LoginBrake:
    return LoginBrake()


def _password_form() -> None:
    with st.form("sign-in", width=420):
        given = st.text_input("Password", type="password", key="password-given", autocomplete="current-password")
        sent = st.form_submit_button("Sign in", type="primary")
    if not sent:
        return
    wait = _brake().wait(time.time())
    if wait > 0:
        st.error(f"Too many wrong passwords. Try again in {wait:.0f} seconds.")
        return
    try:
        right = verify_password(given, password_hash())
    except UsageError as error:
        error_in_words(error)
        return
    if right:
        st.session_state[Session.SIGNED_IN] = sign(password_hash(), int(time.time()) + SIGNED_IN_SECONDS)
        st.rerun()
    _brake().note_wrong(time.time())
    st.error("That is not the password.")


def _is_signed_in(stored: str) -> bool:
    return is_signed(str(st.session_state.get(Session.SIGNED_IN, "")), stored, time.time())


def _is_named(email: str) -> bool:
    names = [name.strip().casefold() for name in os.environ.get("VERBATIM_ACCOUNTS", "").split(",") if name.strip()]
    return not names or email.casefold() in names


def _forget() -> None:
    st.session_state.pop(Session.SIGNED_IN, None)
