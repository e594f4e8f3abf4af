"""What a sub-account needs (section 4.2): a tax id with right check digits, and nothing longer than allowed."""

from enum import StrEnum

from stdnum import exceptions
from stdnum.br import cnpj, cpf


class TaxIdProblem(StrEnum):
    """Why a tax id cannot be right."""

    LENGTH = "length"
    CHECK_DIGITS = "check_digits"


CPF_LENGTH, CNPJ_LENGTH = 11, 14


def compact_tax_id(text: str) -> str:
    """The tax id as the platform wants it: without punctuation, letters in upper case."""
    return "".join(character for character in text if character.isalnum()).upper()


def find_tax_id_problem(compact: str) -> TaxIdProblem | None:
    """None for a CPF (11 digits) or a CNPJ (14, letters allowed in the first 12 since July 2026) that can be right."""
    if len(compact) not in {CPF_LENGTH, CNPJ_LENGTH}:
        return TaxIdProblem.LENGTH
    try:
        (cpf if len(compact) == CPF_LENGTH else cnpj).validate(compact)
    except exceptions.ValidationError:
        return TaxIdProblem.CHECK_DIGITS
    # The check digits of 111.111.111-11 and its like fit, yet no such number is ever given out.
    return TaxIdProblem.CHECK_DIGITS if len(set(compact)) == 1 else None
