"""Bradley-Terry strengths from paired comparisons, by the MM iteration, always finite.

P(i beats j) = s_i / (s_i + s_j); a tie is half a win for each (Davidson's tie parameter is not fitted). Hunter, "MM
algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004). Every player also meets one imaginary
player of strength 1, with `PRIOR` wins and losses: a player who never lost then has a large strength, not an infinite one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PRIOR = 0.5
_ROUNDS = 2_000
_CLOSE = 1e-9


def log_strengths(wins: Floats, prior: float = PRIOR) -> Floats:
    """Natural logarithms of the strengths, mean 0. `wins[..., i, j]` counts wins of i over j (a tie is 0.5 for each).

    The difference of two values is the log odds that the one beats the other. Leading axes (resamples) are fitted at once.
    One player gives `[0.]`.
    """
    if not wins.shape[-1]:
        return np.zeros(wins.shape[:-1])
    games = wins + np.swapaxes(wins, -1, -2)
    won = wins.sum(axis=-1) + prior
    strength = np.ones_like(won)
    for _round in range(_ROUNDS):
        pairs = strength[..., :, None] + strength[..., None, :]
        updated = won / ((games / pairs).sum(axis=-1) + 2 * prior / (strength + 1))
        done = float(np.max(np.abs(np.log(updated / strength)), initial=0.0)) < _CLOSE
        strength = updated
        if done:
            break
    logs: Floats = np.log(strength)
    centred: Floats = logs - logs.mean(axis=-1, keepdims=True)
    return centred


def connected_groups(wins: Floats) -> tuple[tuple[int, ...], ...]:
    """Players who met, directly or through others. Strengths in different groups cannot be compared."""
    met = (wins + wins.T) > 0
    left, groups = set(range(len(wins))), []
    while left:
        group, frontier = set(), {min(left)}
        while frontier:
            player = frontier.pop()
            group.add(player)
            frontier |= {int(other) for other in np.flatnonzero(met[player])} - group
        groups.append(tuple(sorted(group)))
        left -= group
    return tuple(groups)
