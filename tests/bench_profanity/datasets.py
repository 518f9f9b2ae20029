"""Public datasets. None is part of this repository; a missing one is reported, and the others are measured."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

SEED = 5


@dataclass(frozen=True)
class Source:
    """A file of a public repository."""

    repository: str  # owner/name
    path: str
    what: str

    def possible_paths(self, folder: Path) -> list[Path]:
        """The paths of a checkout that is named by its repository, or by owner and repository."""
        owner, name = self.repository.split("/")
        return [folder / name / self.path, folder / owner / name / self.path, folder / f"{owner}+{name}" / self.path]

    def find(self, folder: Path) -> Path | None:
        return next((place for place in self.possible_paths(folder) if place.is_file()), None)


OFFENDES = [
    Source("fmplaza/OffendES", f"split_MeOffendES/{split}.tsv", what)
    for split, what in (
        ("training_set", "16,710 Spanish comments, labelled: the training split"),
        ("dev_set", "100 Spanish comments, labelled: the dev split"),
    )
]
DAVIDSON = Source(
    "t-davidson/hate-speech-and-offensive-language", "data/labeled_data.csv", "24,783 English tweets, labelled"
)
RUSTRICT = Source("finnbear/rustrict", "src/false_positives.txt", "20,118 innocent strings")
HATECHECK = Source(
    "rewire-online/multilingual-hatecheck",
    "MHC Final Cases/hatecheck_cases_final_spanish.csv",
    "3,745 Spanish test sentences, hateful and not",
)


@dataclass(frozen=True)
class Labelled:
    """Texts, and for each whether a filter should find it."""

    name: str
    language: str
    texts: Sequence[str]
    offensive: Sequence[bool]
    # The labels of the same texts by a narrower definition, reported in addition.
    narrower: Sequence[bool] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def sample(self, size: int) -> Labelled:
        """A sample of this size, the same in every run."""
        if size >= len(self):
            return self
        chosen = random.Random(SEED).sample(range(len(self)), size)
        narrower = [self.narrower[at] for at in chosen] if self.narrower else None
        texts, offensive = [self.texts[at] for at in chosen], [self.offensive[at] for at in chosen]
        return Labelled(self.name, self.language, texts, offensive, narrower)


def _rows(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def offendes(paths: Sequence[Path]) -> Labelled:
    """Offensive to a person (OFP) or a group (OFG), or swearing that offends nobody (NOE): all three are profanity."""
    rows = [row for path in paths for row in _rows(path, "\t")]
    labels = [row["label"] for row in rows]
    return Labelled(
        "OffendES",
        "es",
        [row["comment"] for row in rows],
        [label != "NO" for label in labels],
        [label in {"OFP", "OFG"} for label in labels],
    )


def davidson(paths: Sequence[Path]) -> Labelled:
    """Hate speech (0) and offensive language (1), or neither (2)."""
    rows = _rows(paths[0])
    return Labelled("Davidson", "en", [row["tweet"] for row in rows], [row["class"] != "2" for row in rows])


def rustrict(paths: Sequence[Path]) -> Labelled:
    lines = paths[0].read_text(encoding="utf-8").splitlines()
    return Labelled("rustrict", "en", lines, [False] * len(lines))


def hatecheck(paths: Sequence[Path]) -> Labelled:
    rows = _rows(paths[0])
    hateful = [row["label_gold"] == "hateful" for row in rows]
    return Labelled("HateCheck", "es", [row["test_case"] for row in rows], hateful)


READERS: list[tuple[list[Source], Callable[[Sequence[Path]], Labelled]]] = [
    (OFFENDES, offendes),
    ([DAVIDSON], davidson),
    ([RUSTRICT], rustrict),
    ([HATECHECK], hatecheck),
]


def load(folder: Path) -> tuple[dict[str, Labelled], list[str]]:
    """The datasets in the folder by name, and a sentence for each missing file."""
    loaded: dict[str, Labelled] = {}
    missing: list[str] = []
    for sources, read in READERS:
        paths = [source.find(folder) for source in sources]
        existing = [path for path in paths if path]
        missing += [
            f"{source.path} of {source.repository} ({source.what}) is not in {folder}: searched "
            + " and ".join(str(place.relative_to(folder)) for place in source.possible_paths(folder))
            for source, path in zip(sources, paths, strict=True)
            if path is None
        ]
        if existing:
            data = read(existing)
            loaded[data.name] = data
    return loaded, missing
