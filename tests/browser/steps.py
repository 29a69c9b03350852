"""What browser tests do again and again."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, expect

WAIT_MS = 60_000
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def open_address(page: Page, address: str) -> None:
    """Open an address and wait until the page has been drawn."""
    page.goto(address)
    page.wait_for_selector("h1", timeout=WAIT_MS)
    wait_idle(page)


def wait_idle(page: Page) -> None:
    """Wait until no script of the page is running."""
    page.wait_for_selector(IDLE, timeout=WAIT_MS)


def click_cell(page: Page, x: int, y: int) -> None:
    """Click the middle of a cell of the heat map, counted from 0, from the left and from below."""
    page.wait_for_selector(".js-plotly-plot .bars", timeout=WAIT_MS)
    spot = page.evaluate(
        """([x, y]) => { const chart = document.querySelector('.js-plotly-plot'), box = chart.getBoundingClientRect();
        const { xaxis, yaxis } = chart._fullLayout;
        return [box.x + xaxis._offset + xaxis.c2p(x), box.y + yaxis._offset + yaxis.c2p(y)]; }""",
        [x, y],
    )
    page.mouse.click(*spot)


def expect_in_address(page: Page, part: str) -> None:
    """Wait until the address holds `part`."""
    page.wait_for_function("part => location.href.includes(part)", arg=part, timeout=WAIT_MS)


def expect_item(page: Page, item_id: str) -> None:
    """Wait until an item is open."""
    expect(page.locator(".v-item h3")).to_have_text(item_id, timeout=WAIT_MS)


def no_serious_faults(page: Page) -> list[str]:
    """Faults that axe-core calls serious or critical, as "rule: element"."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def serious_faults(page: Page, own: str, addresses: Sequence[str], theme: str) -> dict[str, list[str]]:
    """axe's serious faults by address, in a theme; addresses without one are left out."""
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    faults = {}
    for address in addresses:
        open_address(page, own + address)
        page.wait_for_timeout(500)
        faults[address] = no_serious_faults(page)
    return {address: found for address, found in faults.items() if found}


def too_wide(page: Page, own: str, addresses: Sequence[str]) -> list[str]:
    """The addresses whose page is wider than a phone of 390 pixels."""
    page.set_viewport_size({"width": 390, "height": 844})
    found = []
    for address in addresses:
        open_address(page, own + address)
        main = page.locator('[data-testid="stMain"]')
        if not main.evaluate("e => e.scrollWidth <= e.clientWidth + 1"):
            found.append(address)
    return found
