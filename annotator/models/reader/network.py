"""The network: convolutions to a row of frames, a CTC head, and a small transformer decoder with its attention shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

STRIDES = ((2, 2), (2, 2), (2, 1), (2, 1))
PLACES = 128
"""More frames than the widest crop has, and more steps than a word has letters."""


@dataclass(frozen=True, slots=True)
class ReaderShape:
    """Sizes. `channels` of the four convolutions, `width` of a frame, dilations of the convolutions over frames, and the
    decoder: layers, heads, and the most letters of a word (`longest`)."""

    channels: tuple[int, int, int, int] = (16, 32, 64, 96)
    width: int = 128
    dilations: tuple[int, ...] = (1, 2)
    decoder_layers: int = 2
    heads: int = 4
    longest: int = 24


def build_network(shape: ReaderShape, classes: int) -> Any:
    """The untrained network for an alphabet of `classes` (class 0 is blank, or the end).

    `encode(crops, frames)` gives the frames (n, frames, width), a mask that is true beyond a crop's end, and the output of
    every convolution pooled over the crop. `ctc(frames)` and `decode(symbols, frames, beyond, weigh)` give logits.
    """
    import torch
    from torch import nn

    width = shape.width
    places = _waves(PLACES, width)

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            sizes = (1, *shape.channels)
            self.convolutions = nn.ModuleList(
                nn.Conv2d(sizes[k], sizes[k + 1], 3, stride=STRIDES[k], padding=1, bias=False) for k in range(4)
            )
            self.norms = nn.ModuleList(nn.BatchNorm2d(size) for size in shape.channels)
            self.collapse = nn.Conv2d(shape.channels[-1], width, (2, 1))
            self.mixers = nn.ModuleList(nn.Conv1d(width, width, 3, padding=d, dilation=d) for d in shape.dilations)
            self.drop = nn.Dropout(0.1)
            self.ctc = nn.Linear(width, classes)
            self.symbols = nn.Embedding(classes + 1, width)
            self.layers = nn.ModuleList(_decoder_layer(width, shape.heads) for _ in range(shape.decoder_layers))
            self.last = nn.LayerNorm(width)
            self.letters = nn.Linear(width, classes)

        def encode(
            self, crops: torch.Tensor, frames: torch.Tensor
        ) -> tuple[torch.Tensor, torch.Tensor, list[torch.Tensor]]:
            x, pooled = crops, []
            for k, (convolution, norm) in enumerate(zip(self.convolutions, self.norms, strict=True)):
                x = torch.relu(norm(convolution(x)))
                fill = frames * 2 if k == 0 else frames
                inside = torch.arange(x.shape[3], device=x.device)[None, :] < fill[:, None]
                x = x * inside[:, None, None, :]
                pooled.append(x.sum(dim=(2, 3)) / (fill * x.shape[2])[:, None])
            row = torch.relu(self.collapse(x))[:, :, 0] * inside[:, None, :]
            for mixer in self.mixers:
                row = (row + self.drop(torch.relu(mixer(row)))) * inside[:, None, :]
                pooled.append(row.sum(dim=2) / frames[:, None])
            return row.transpose(1, 2), ~inside, pooled

        def decode(
            self, symbols: torch.Tensor, frames: torch.Tensor, beyond: torch.Tensor, weigh: bool = False
        ) -> tuple[torch.Tensor, list[torch.Tensor], list[tuple[Any, Any]]]:
            steps = symbols.shape[1]
            later = torch.ones(steps, steps, dtype=torch.bool, device=symbols.device).triu(1)
            frames = frames + places[: frames.shape[1]]
            x = self.drop(self.symbols(symbols) * math.sqrt(width) / 4 + places[:steps])
            states, attended = [], []
            for layer in self.layers:
                x, own, seen = layer(x, frames, later, beyond, weigh)
                states.append(x)
                attended.append((own, seen))
            return self.letters(self.last(x)), states, attended

    return Network()


def _decoder_layer(width: int, heads: int) -> Any:
    """One layer of the autoregressive head; its attentions come back when they are asked for (`weigh`)."""
    from torch import nn

    class DecoderLayer(nn.Module):
        """Masked self-attention, cross-attention and two linear layers, each after a norm and around a residual."""

        def __init__(self) -> None:
            super().__init__()
            self.own = nn.MultiheadAttention(width, heads, batch_first=True)
            self.seen = nn.MultiheadAttention(width, heads, batch_first=True)
            self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
            self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

        def forward(
            self, x: torch.Tensor, frames: torch.Tensor, later: torch.Tensor, beyond: torch.Tensor, weigh: bool
        ) -> tuple[torch.Tensor, Any, Any]:
            kept = {"need_weights": weigh, "average_attn_weights": False}
            y = self.norms[0](x)
            y, own = self.own(y, y, y, attn_mask=later, **kept)
            x = x + y
            y, seen = self.seen(self.norms[1](x), frames, frames, key_padding_mask=beyond, **kept)
            x = x + y
            return x + self.feed(self.norms[2](x)), own, seen

    return DecoderLayer()


def _waves(length: int, width: int) -> torch.Tensor:
    """Sines and cosines of places 0 to `length` - 1 (Vaswani et al. 2017)."""
    import torch

    place = torch.arange(length)[:, None]
    rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    return torch.stack([torch.sin(place * rate), torch.cos(place * rate)], dim=2).reshape(length, width)
