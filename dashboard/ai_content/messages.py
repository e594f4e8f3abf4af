"""Changes, findings and reasons as sentences, in the reader's language."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ai_content.exchange import FILE_MOST
from dashboard.ai_content.rules.lint import Code, Finding
from dashboard.ai_content.rules.package import TEXT_MOST
from dashboard.ai_content.summaries import Summary
from dashboard.shared import formats

BLOCKS = {
    "ebook": lambda: _("eBook"),
    "mindmap": lambda: _("Mind map"),
    "quiz": lambda: _("Quiz"),
    "other": lambda: _("Other content"),
}


def block_name(block: str) -> str:
    """eBook, Mind map, Quiz."""
    return BLOCKS[block]() if block in BLOCKS else block


def letter(place: int) -> str:
    """An alternative by its letter: 0 is A, 26 is AA."""
    name = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(65 + rest) + name
    return name


def change(found: Summary) -> str:
    """“Question 4: text changed”."""
    if found.question:
        return _quiz_change(found)
    if found.what in ("node", "node_label", "node_place"):
        return _node_change(found)
    if found.what in ("setting", "cover"):
        name = {"setting": _("Setting “%(key)s”"), "cover": _("Cover: %(key)s")}[found.what]
        return _with_kind(name % {"key": " › ".join(found.path)}, found.kind)
    named = {
        "ebook_text": _("Text of the eBook"),
        "ebook_html": _("HTML of the eBook"),
        "summary": _("Summary"),
    }
    name = named.get(found.what) or _("“%(path)s”") % {"path": " › ".join(found.path)}
    return _with_kind(name, found.kind)


def _with_kind(name: str, kind: str) -> str:
    sentence = {
        "added": _("%(name)s: added"),
        "removed": _("%(name)s: removed"),
        "moved": _("%(name)s: moved"),
    }.get(kind, _("%(name)s: changed"))
    return sentence % {"name": name}


def _quiz_change(found: Summary) -> str:
    values = {"number": found.question, "letter": letter(found.option - 1) if found.option else "", "old": found.before}
    sentences = {
        ("question", "added"): _("Question %(number)s: added"),
        ("question", "removed"): _("Question %(number)s: deleted"),
        ("question_place", "moved"): _("Question %(number)s: moved from place %(old)s"),
        ("option", "added"): _("Question %(number)s: answer %(letter)s added"),
        ("option", "removed"): _("Question %(number)s: answer %(letter)s deleted"),
        ("option_place", "moved"): _("Question %(number)s: answer %(letter)s moved"),
    }
    if (found.what, found.kind) in sentences:
        return sentences[found.what, found.kind] % values
    if found.what == "question_text":
        return _("Question %(number)s: text changed") % values
    if found.what == "option_text":
        return _("Question %(number)s: text of answer %(letter)s changed") % values
    if found.what == "option_correct":
        right = found.after == "true"
        now = _("Question %(number)s: answer %(letter)s is correct now")
        not_now = _("Question %(number)s: answer %(letter)s is not correct any more")
        return (now if right else not_now) % values
    return _("Question %(number)s: “%(key)s” changed") % {**values, "key": " › ".join(found.path) or "JSON"}


def _node_change(found: Summary) -> str:
    if found.what == "node_label":
        return _("Mind map: “%(old)s” is called “%(new)s” now") % {"old": found.before, "new": found.after}
    label = found.path[-1] if found.path else ""
    sentence = {
        "added": _("Mind map: “%(label)s” added"),
        "removed": _("Mind map: “%(label)s” deleted"),
    }.get(found.kind, _("Mind map: “%(label)s” moved"))
    return sentence % {"label": label}


def changes(found: Sequence[Summary], count: int, most: int = 3) -> str:
    """The first changes and how many more there are, in one line."""
    if not count:
        return _("No change in content")
    listed = [change(each) for each in found[:most]]
    rest = count - len(listed)
    if rest > 0:
        listed.append(ngettext("and %(count)s more change", "and %(count)s more changes", rest) % {"count": rest})
    return "; ".join(listed)


def count_of_changes(count: int) -> str:
    """“3 changes”."""
    return ngettext("%(count)s change", "%(count)s changes", count) % {"count": formats.number(count)}


def finding(found: Finding) -> str:
    """What a finding says, and what to do."""
    values = {
        "letter": letter(found.option) if found.option is not None else "",
        "other": formats.number(found.other) if found.other is not None else "",
        "other_letter": letter(found.other) if found.other is not None else "",
        "number": (found.other or 0) + 1,
    }
    return _FINDINGS[found.code]() % values


_FINDINGS = {
    Code.BROKEN: lambda: _("The file holds this question in a form that cannot be edited here. Mend its JSON."),
    Code.NO_TEXT: lambda: _("Write the question. The platform refuses one without text."),
    Code.NO_OPTIONS: lambda: _("Add answers. The platform refuses a question without them."),
    Code.ONE_OPTION: lambda: _("Add a second answer: with one there is nothing to choose."),
    Code.EMPTY_OPTION: lambda: _("Answer %(letter)s is empty."),
    Code.NO_CORRECT: lambda: _("No answer is marked as correct."),
    Code.SEVERAL_CORRECT: lambda: _("%(other)s answers are marked as correct."),
    Code.ALL_CORRECT: lambda: _("Every answer is marked as correct."),
    Code.SAME_OPTION: lambda: _("Answer %(letter)s says the same as answer %(other_letter)s."),
    Code.SAME_QUESTION: lambda: _("Says the same as question %(number)s."),
    Code.LONG_QUESTION: lambda: _("Long for a phone: %(other)s characters."),
    Code.LONG_OPTION: lambda: _("Answer %(letter)s is long for a phone: %(other)s characters."),
    Code.TOO_FEW: lambda: _("Fewer than the %(other)s answers of num_answers."),
}


def findings(found: Iterable[Finding]) -> str:
    """All of them, in one line."""
    return " ".join(finding(each) for each in found)


_REASONS = {
    "not_json": lambda: _("This is not JSON. Look for a missing comma, quote or bracket."),
    "not_object": lambda: _("This is JSON, but not an object: it has to begin with { and end with }."),
    "too_deep": lambda: _("It is nested deeper than 100 levels. Take levels out of it."),
    "not_finite": lambda: _("It holds a number that JSON cannot hold, such as NaN or 1e999."),
    "too_large": lambda: (
        _("It is larger than %(most)s. Split it, and import one part after the other.")
        % {"most": formats.file_size(FILE_MOST)}
    ),
    "empty": lambda: _("There is nothing in it."),
    "not_text": lambda: _("This is not a text file in UTF-8."),
    "no_rows": lambda: _("There are no questions in it: a first row of titles and at least one more are needed."),
    "no_question_column": lambda: _("No column is called “question”."),
    "no_answer_columns": lambda: _("No column is called “answer 1”."),
    "not_yes_or_no": lambda: _("“%(detail)s” is neither yes nor no. Write 1 or 0 in the columns “correct”."),
    "too_many_rows": lambda: _("It has more than %(detail)s rows. Split it into several quizzes."),
    "not_csv": lambda: _("This is not CSV: %(detail)s."),
    "not_xml": lambda: _("This is not XML."),
    "document_type": lambda: _("It declares a document type, which an outline has no use for. Take that line out."),
    "not_opml": lambda: _("This is not OPML."),
    "no_outline": lambda: _("There is no outline in it."),
    "too_many_nodes": lambda: _("It has more than %(detail)s topics. Split it into several mind maps."),
    "text_too_long": lambda: ebook_too_long(),
    "too_many_questions": lambda: _("The quiz has more than %(detail)s questions. Take some out."),
    "front_matter": lambda: _("The front matter cannot be read: “%(detail)s”. Write one “key: value” per line."),
    "unknown_kind": lambda: _("Choose what it is: its name does not say."),
}


def ebook_too_long() -> str:
    """That an eBook is longer than its HTML could be made from."""
    sentence = _("The text has more than %(most)s characters. Shorten it, or make two eBooks of it.")
    return sentence % {"most": formats.number(TEXT_MOST)}


def reason(code: str, detail: str = "", line: int = 0) -> str:
    """Why something cannot be read, and where."""
    sentence = _REASONS[code]() % {"detail": detail}
    return _("Line %(line)s: %(sentence)s") % {"line": line, "sentence": sentence} if line else sentence


def language(word: str) -> str:
    """A language of an address: its name, or what the legacy file is called."""
    return _("Single file") if word == "legacy" else formats.language_name(word)
