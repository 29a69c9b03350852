"""A vision-language model: the message it gets, and how its response is read."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from annotator.errors import InputError, UsageError
from annotator.runners.base import About
from annotator.runners.endpoint import Endpoint, Patience
from annotator.runners.openai import OpenAIVision
from annotator.runners.prompts import load_prompt, shipped_prompts
from tests.runners.fake_endpoint import FakeEndpoint, completion

PICTURE = Image.new("RGB", (30, 12), (10, 200, 30))


def ask(reply: bytes, prompt: str = "P1", about: About = About()) -> tuple[object, dict[str, object]]:  # noqa: B008
    with FakeEndpoint((200, reply)).serving() as fake:
        model = OpenAIVision(Endpoint(fake.url, "m", "", Patience(1)), load_prompt(prompt))
        seen = model.recognise(PICTURE, about)
        model.close()
    return seen, fake.requests[0]["messages"][0]


def test_sends_the_picture_whole_and_lossless() -> None:
    _, message = ask(completion("x"))
    text, image = message["content"]  # type: ignore[misc]
    assert text["text"].startswith("Transcribe the text in this image exactly")
    head, _, data = image["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as sent:
        assert sent.size == PICTURE.size
        assert sent.convert("RGB").getpixel((3, 3)) == (10, 200, 30)


@pytest.mark.parametrize(
    ("response", "predicted", "reasoning"),
    [
        ("দোকান", "দোকান", None),
        ("```\nOPEN\n```", "OPEN", None),
        ('Answer: "OPEN"', "OPEN", None),
        ("<think>it says\nOPEN?</think>\nOPEN", "OPEN", "it says\nOPEN?"),
        ("", "", None),
    ],
)
def test_the_answer_is_parsed_and_the_raw_response_kept(response: str, predicted: str, reasoning: str | None) -> None:
    seen, _ = ask(completion(response))
    assert seen.text == predicted  # type: ignore[attr-defined]
    assert seen.raw == response  # type: ignore[attr-defined]
    assert seen.reasoning == reasoning  # type: ignore[attr-defined]
    assert seen.extra == {"prompt_tokens": "11", "completion_tokens": "3", "finish_reason": "stop"}  # type: ignore[attr-defined]


def test_prompts_by_language_and_labels() -> None:
    assert shipped_prompts() == ("P1", "P2", "P3")
    bengali = About(language="bn-BD", attributes={"context": "street", "content": "price"})
    assert load_prompt("P1").render(bengali).startswith("Transcribe")
    assert load_prompt("P2").render(bengali).startswith("এই ছবিতে")
    assert load_prompt("P2").render(About(language="xx")).startswith("Transcribe")
    assert load_prompt("P3").render(bengali).startswith("Context of the sign: street. Content: price.")
    assert load_prompt("P3").render(About()).startswith("Context of the sign: unknown. Content: unknown.")
    assert [load_prompt(name).role for name in shipped_prompts()] == ["realistic", "realistic", "oracle"]


def test_wrong_prompts_are_said(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    with pytest.raises(UsageError, match="P1, P2, P3"):
        load_prompt("P9")
    for name, text in (("a", "["), ("b", "text: 3"), ("c", "text: {en: x}\nrole: maybe"), ("d", "text: {bn: x}")):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=f"{name}.yaml"):
            load_prompt(str(folder / f"{name}.yaml"))
    (folder / "own.yaml").write_text("text: Read this.", encoding="utf-8")
    assert load_prompt(str(folder / "own.yaml")).render(About()) == "Read this."


def test_estimates_before_it_starts() -> None:
    model = OpenAIVision(Endpoint("http://x/v1", "m"), load_prompt("P1"), cap=100)
    guess = model.estimate(50, price_in=1.0, price_out=10.0)
    assert guess.requests == 50
    assert guess.tokens_out_at_most == 5000
    assert guess.cost_at_most == pytest.approx(guess.tokens_in / 1e6 + 0.05)
    assert model.estimate(50).cost_at_most is None
    assert "50 requests" in guess.words()
