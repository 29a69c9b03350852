"""Streamlit's own login against a provider on this machine: who is named gets in, who is not stays out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotator.studies.links import invite
from tests.browser.server import Server
from tests.browser.steps import WAIT_MS, wait_idle
from tests.studies.builders import open_study, text_project

pytest.importorskip("authlib", reason="Authlib is not installed (pip install -r requirements-login.txt)")
oidc = pytest.importorskip("tests.browser.oidc", reason="the provider of the test needs Authlib's own dependencies")

pytestmark = pytest.mark.browser
OWNER = {"sub": "1", "email": "Owner@example.org", "email_verified": True}


@pytest.fixture(scope="module")
def provider() -> Iterator[object]:
    with oidc.provider_running() as running:
        yield running


@pytest.fixture(scope="module")
def guarded(provider: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with a secrets file that names the provider, and one account that may enter."""
    folder = tmp_path_factory.mktemp("oidc")
    project = text_project(folder / "project")
    open_study(project)
    secrets = folder / "secrets.toml"
    server = Server(
        project.folder, STREAMLIT_SECRETS_FILES=str(secrets), VERBATIM_ACCOUNTS="owner@example.org, other@example.org"
    )
    secrets.write_text(
        f"""[auth]
redirect_uri = "http://localhost:{server.port}/oauth2callback"
cookie_secret = "a long random text for the tests of signing in"
client_id = "{oidc.CLIENT}"
client_secret = "{oidc.SECRET}"
server_metadata_url = "{provider.url}/.well-known/openid-configuration"
""",
        encoding="utf-8",
    )
    server.start()
    yield server
    server.kill()


def sign_in(page: Page, server: Server) -> None:
    """Open a page for owners and press Sign in."""
    page.goto(f"http://localhost:{server.port}/items")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("button", name="Sign in").click()


def test_a_named_account_enters_stays_and_leaves(page: Page, provider: object, guarded: Server) -> None:
    provider.claims = OWNER
    sign_in(page, guarded)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible(timeout=WAIT_MS)
    page.goto(f"http://localhost:{guarded.port}/items")
    expect(page.get_by_role("heading", name="Items", exact=True)).to_be_visible(timeout=WAIT_MS)
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies()}
    assert cookies["_streamlit_user"]["httpOnly"]
    wait_idle(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WAIT_MS)
    page.goto(f"http://localhost:{guarded.port}/items")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WAIT_MS)
    assert provider.refused == []


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "2", "email": "stranger@example.org", "email_verified": True},
        {"sub": "3", "email": "owner@example.org", "email_verified": False},
        {"sub": "4"},
    ],
    ids=["a stranger", "an address that nobody has verified", "no address"],
)
def test_other_accounts_stay_out(page: Page, provider: object, guarded: Server, claims: dict[str, object]) -> None:
    provider.claims = claims
    sign_in(page, guarded)
    expect(page.get_by_text("Your account is not on the list")).to_be_visible(timeout=WAIT_MS)
    assert page.locator('[data-testid="stPageLink-NavLink"]').count() == 0
    wait_idle(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible(timeout=WAIT_MS)


def test_a_forged_cookie_and_a_forged_code_stay_out(browser: Browser, guarded: Server) -> None:
    context = browser.new_context()
    own = f"http://localhost:{guarded.port}"
    context.add_cookies([{"name": "_streamlit_user", "value": '"{\\"email\\":\\"owner@example.org\\"}"', "url": own}])
    page = context.new_page()
    for path in ("items", "oauth2callback?code=x&state=y"):
        page.goto(f"{own}/{path}")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WAIT_MS)
    context.close()


def test_a_rater_needs_no_account(page: Page, guarded: Server) -> None:
    from annotator.store.project import open_project

    link = invite(open_project(guarded.project), "s").study_link
    page.goto(f"http://localhost:{guarded.port}{link}")
    expect(page.locator(".st-key-way-start button")).to_be_visible(timeout=WAIT_MS)
