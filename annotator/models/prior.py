"""A language prior of characters: how likely a language makes a string. Built from a word list in seconds; or a local model."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from annotator.errors import InputError
from annotator.text.graphemes import split_graphemes
from annotator.wholefile import whole_file

ORDER = 5
PRIOR_VERSION = "1"
EDGE = "\x02"


class Prior(Protocol):
    """Scores strings: natural logarithms of probabilities, higher is likelier."""

    def score(self, text: str) -> float: ...

    def total(self, text: str) -> float: ...


@dataclass(frozen=True, slots=True, eq=False)
class NgramPrior:
    """Clusters given the `ORDER` - 1 before them, Witten-Bell smoothed down to a uniform share for unseen ones.

    `counts` maps a context to how often each cluster followed it; words weigh by their frequency.
    """

    counts: Mapping[str, Mapping[str, float]]
    alphabet: int

    def score(self, text: str) -> float:
        """Log probability of the words of `text` (folded, with their ends), per cluster: long and short strings compare.

        The empty text scores 0.
        """
        total, n = self._summed(text)
        return total / n if n else 0.0

    def total(self, text: str) -> float:
        """Log probability of the whole of `text`, the sum behind `score`: what a beam's log probabilities are added to."""
        return self._summed(text)[0]

    def _summed(self, text: str) -> tuple[float, int]:
        total, n = 0.0, 0
        for word in text.casefold().split():
            history = [EDGE] * (ORDER - 1)
            for unit in (*split_graphemes(word), EDGE):
                total += math.log(self._share(history, unit))
                history = [*history[1:], unit]
                n += 1
        return total, n

    def _share(self, history: Sequence[str], unit: str) -> float:
        share = 1.0 / (self.alphabet + 1)
        for length in range(ORDER):
            followers = self.counts.get("\0".join(history[len(history) - length :]))
            if followers is None:
                break
            seen, kinds = sum(followers.values()), len(followers)
            share = (followers.get(unit, 0.0) + kinds * share) / (seen + kinds)
        return share


def train_prior(words: Mapping[str, float]) -> NgramPrior:
    """Learn from words with their Zipf frequencies; a word counts with its Zipf value, so that rare words are heard too.

    Raises `InputError` without words.
    """
    if not words:
        raise InputError("a language prior needs words to learn from; found none")
    counts: dict[str, dict[str, float]] = {}
    for word, zipf in words.items():
        units = [EDGE] * (ORDER - 1) + [*split_graphemes(word.casefold()), EDGE]
        for at in range(ORDER - 1, len(units)):
            for length in range(ORDER):
                followers = counts.setdefault("\0".join(units[at - length : at]), {})
                followers[units[at]] = followers.get(units[at], 0.0) + zipf
    return NgramPrior(counts, len(counts[""]))


def save_prior(prior: NgramPrior, path: Path) -> None:
    """Write a prior as JSON, whole or not at all; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"version": PRIOR_VERSION, "alphabet": prior.alphabet, "counts": prior.counts}
    with whole_file(path) as part:
        part.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def load_prior(path: Path) -> NgramPrior | None:
    """Read a prior; `None` when there is none, or one of another version."""
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return NgramPrior(document["counts"], document["alphabet"]) if document.get("version") == PRIOR_VERSION else None


class CausalPrior:
    """A causal language model from a local folder, through `transformers`: the mean log probability a token of the text
    after neutral prefixes. Nothing is fetched: the folder must hold the model and its tokenizer."""

    PREFIXES = ("The sign reads: ", "It says: ", "Text: ")

    def __init__(self, folder: Path) -> None:
        try:
            from transformers import AutoModelForCausalLM, AutoTokenizer

            self._tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
            self._model = AutoModelForCausalLM.from_pretrained(str(folder), local_files_only=True).eval()
        except ImportError as error:
            raise InputError(
                "a model folder needs the package transformers; install it, or use the built-in prior"
            ) from error
        except (OSError, ValueError) as error:
            raise InputError(f"{folder} is not a causal language model that transformers can read ({error})") from error

    def score(self, text: str) -> float:
        """The mean over the prefixes of the log probability a token of the text."""
        found = [self._after(prefix, text) for prefix in self.PREFIXES] if text else []
        return sum(total / n for total, n in found if n) / len(self.PREFIXES)

    def total(self, text: str) -> float:
        """The mean over the prefixes of the log probability of the whole text."""
        found = [self._after(prefix, text) for prefix in self.PREFIXES] if text else []
        return sum(total for total, _ in found) / len(self.PREFIXES)

    def _after(self, prefix: str, text: str) -> tuple[float, int]:
        import torch

        before = self._tokenizer(prefix, return_tensors="pt").input_ids
        ids = self._tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids
        whole = torch.cat([before, ids], dim=1)
        with torch.inference_mode():
            shares = self._model(whole).logits.log_softmax(dim=-1)[0, before.shape[1] - 1 : -1]
        return float(shares.gather(1, ids[0][:, None]).sum()), int(ids.shape[1])
