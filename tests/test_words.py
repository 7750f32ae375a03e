"""Everything that a person reads has American spelling and plain words."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Word lists and phrases of the demo engine, which corrects British spelling, the interface's own tests,
#: files of the first release, and this list itself.
APART = (
    "src/inkframe_demo/texts/",
    "tests/demo/",
    "tests/interface/",
    "tests/releases/0.1/files/",
    "tests/test_words.py",
)
KINDS = {".py", ".pyi", ".md", ".toml", ".js", ".css", ".txt", ".ipynb", ".yml"}
#: Beginnings of British words, and where one is quoted on purpose.
BRITISH = """
    aluminium|analyse|armour|artefact|behaviour|burnt|candour|catalogue|centre|cheque|clamour|colour|cosy
    |customis|defence|dialogue|emphasis(?=e|ing)|endeavour|enamell|favour|fervour|flavour|fulfil(?!l)|glamour|grey
    |harbour|honour|humour|initialis|instal(?!l)|jeweller|judgement|labelled|labelling|labour|learnt|levell|licence|litre
    |marvell|maximis|metre|minimis|misspelt|modell|mould|neighbour|normalis|odour|optimis|organis|parlour
    |plough|practise|programme(?!d|r)|pyjama|rancour|recognis|rigour|rumour|sanitis|savour|sceptic
    |serialis|signall|skilful|spelt|splendour|storey(?!ed)|summaris|synchronis|theatre|travell|tumour|tunnell|tyre
    |utilis|valour|vapour|vigour|visualis|whilst|wilful
"""
QUOTED = {
    "src/inkframe/schema.py": {"favour"},  # a name that services have for a field
    "src/inkframe/analysis/text_measures.py": {"dialogue"},  # a word whose syllables are counted
    "tests/analysis/test_readability.py": {"centre"},
    "tests/editing/test_push_of_files.py": {"favour"},  # misspelled columns and keywords
    "tests/resources/test_records.py": {"favour"},
    "tests/mistakes.txt": {"colour"},
    ".github/CHANGELOG.md": {"organis"},  # the former name of a field
}
#: What plain English says otherwise.
DIALECT = """
    all are made|any weather|as far as is known|asked for once, unseen|for good\\b|held against|if you like
    |(?<!there )is no (?:id|page size|text)\\b|is not known to this|likeness|looked at again|mend the rows
    |need not stand|no way back|none twice|nobody's|on a plane|said twice|show themselves|spread of length|stands? twice
    |still needs|tell nobody|wants to hear|ways in\\b|what brings|what to write|will not do
""".replace("\n    ", "").strip()
OPENINGS = re.compile(r'^\s*(?:"""|(?:async )?def .*""")(?:Give|Say|Tell|Hold|Make)s?\b', re.MULTILINE)


def read(path):
    """Return what a person reads in a file; of a notebook the cells without their results."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


@pytest.fixture(scope="module")
def texts():
    """Return the texts of the package, the notebooks, the pages and the tests, by path."""
    places = [ROOT / name for name in ("README.md", "pyproject.toml")]
    places += [each for name in ("src", "notebooks", "tests", ".github") for each in (ROOT / name).rglob("*")]
    found = {each.relative_to(ROOT).as_posix(): each for each in places if each.suffix in KINDS}
    return {name: read(path) for name, path in found.items() if not name.startswith(APART)}


@pytest.mark.integration
def test_the_spelling_is_american(texts):
    """No word is British but those that are quoted."""
    british = re.compile(rf"(?<![a-z])(?:{BRITISH})", re.VERBOSE)
    found = {(name, word) for name, text in texts.items() for word in british.findall(text.lower())}
    assert not {(name, word) for name, word in found if word not in QUOTED.get(name, ())}


@pytest.mark.integration
def test_words_are_plain(texts):
    """No sentence and no name has the wording that was given up."""
    dialect = re.compile(rf"\b(?:{DIALECT})")
    found = {(name, words) for name, text in texts.items() for words in dialect.findall(text.lower())}
    assert not found


@pytest.mark.integration
def test_docstrings_open_with_a_verb_of_the_field(texts):
    """No docstring opens with Give, Say, Tell, Hold or Make."""
    assert not [(name, opening) for name, text in texts.items() for opening in OPENINGS.findall(text)]
