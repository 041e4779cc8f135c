"""What search and the moves-left utility change, on cases small enough to be told by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluation.makers import KnowingJudge, actions, three_positions

from c4.evaluation.audit import moves_left_ablation, search_audit, simulations_until_right
from c4.evaluation.judges import bare_network
from c4.evaluation.metrics import Judgement, keeps_value
from c4.evaluation.sets import labelled_set, subset

LABELS = three_positions()  # value-preserving: {0, 1}, all, {2, 3}


def test_simulations_until_right() -> None:
    right = np.array(
        [  # four positions at 0, 1, 32 and 600 simulations
            [True, False, True, False],
            [True, False, False, True],
            [True, True, False, False],
            [True, True, True, False],
        ]
    )
    assert simulations_until_right(right, [0, 1, 32, 600]).tolist() == [0, 32, 600, -1]


def test_search_audit() -> None:
    judgements = {
        600: Judgement(action=actions(1, 0, 0)),
        0: Judgement(action=actions(4, 0, 2)),
        32: Judgement(action=actions(0, 0, 2)),
    }
    audit = search_audit(LABELS, judgements)
    assert (audit["from"], audit["to"]) == (0, 600)
    assert (audit["saved"], audit["misled"], audit["right_throughout"], audit["wrong_at_both"]) == (1, 1, 1, 0)
    assert audit["saved_share_of_wrong"]["value"] == 1.0
    assert audit["misled_share_of_right"]["value"] == 0.5
    # Decisive are the first (right from 32 on) and the last (wrong in the end).
    assert [one["share"] for one in audit["until_right"]] == [0.0, 0.5, 0.0]
    assert audit["until_right_median"] == 32
    assert audit["never_right"] == 1


def test_saved_and_misled_are_not_each_other() -> None:
    audit = search_audit(LABELS, {0: Judgement(action=actions(4, 0, 0)), 8: Judgement(action=actions(1, 0, 0))})
    assert (audit["saved"], audit["misled"], audit["right_throughout"], audit["wrong_at_both"]) == (1, 0, 1, 1)


def test_moves_left_ablation() -> None:
    off = Judgement(action=actions(0, 1, 2))  # wins at ply 41, loses at 35
    on = Judgement(action=actions(1, 0, 3))  # wins at ply 37, loses at 39
    result = moves_left_ablation(LABELS, off, on)
    assert result["wins_sooner_by"]["value"] == 4.0
    assert result["loses_later_by"]["value"] == 4.0
    assert result["value_preserving_change"]["value"] == 0.0
    assert result["distance_optimal_change"]["value"] == pytest.approx(2 / 3)
    assert result["other_move"]["value"] == 1.0
    flipped = moves_left_ablation(LABELS, on, off)  # as a utility of the wrong sign would do
    assert flipped["wins_sooner_by"]["value"] == flipped["loses_later_by"]["value"] == -4.0


def test_the_ablation_compares_lengths_only_where_both_keep_the_value() -> None:
    result = moves_left_ablation(LABELS, Judgement(action=actions(0, 1, 2)), Judgement(action=actions(4, 0, 2)))
    assert result["wins_sooner_by"]["count"] == 0
    assert result["loses_later_by"]["value"] == 4.0
    assert result["value_preserving_change"]["value"] == pytest.approx(-1 / 3)


def test_what_search_adds_shrinks_when_the_network_is_damaged() -> None:
    """A damaged network leaves a perfect search more to put right; a damaged search misleads a perfect network."""
    dev = subset(labelled_set("dev", game="connect4"), count=300)
    sound, hurt = (bare_network(dev, KnowingJudge(dev, damage=damage)) for damage in (0.0, 0.4))
    wrong = int((~keeps_value(dev, hurt.action)).sum())
    assert wrong > 50
    saved, misled = search_audit(dev, {0: hurt, 32: sound}), search_audit(dev, {0: sound, 32: hurt})
    assert (saved["saved"], saved["misled"], saved["never_right"]) == (wrong, 0, 0)
    assert (misled["saved"], misled["misled"], misled["never_right"]) == (0, wrong, wrong)
    change = moves_left_ablation(dev, sound, hurt)["value_preserving_change"]
    assert change["high"] < 0
    assert change["value"] == pytest.approx(-wrong / 300)
