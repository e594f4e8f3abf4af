"""What is in the library of the demo: folders and videos. A cooperative that sells coffee and teaches about it."""

from typing import Final, NamedTuple


class Shelf(NamedTuple):
    """A folder: key, name, key of its parent."""

    key: str
    name: str
    parent: str = ""
    active: bool = True


class Clip(NamedTuple):
    """A video. `seconds` is its length, `days` its age, `still` its picture, `subtitles` language codes."""

    key: str
    shelf: str
    lang: str
    title: str
    seconds: float
    days: int
    still: int
    subtitles: str = ""
    description: str = ""
    status: str = "CONVERTED"
    audio: str = "speech"


SHELVES: Final = (
    Shelf("launch", "Lançamento 2026"),
    Shelf("cuts", "Cortes", "launch"),
    Shelf("social", "Redes sociais", "launch"),
    Shelf("vertical", "Vertical 9x16", "social"),
    Shelf("course_pt", "Curso: Do pé à xícara"),
    Shelf("pt_1", "Módulo 1: A planta e o lugar", "course_pt"),
    Shelf("pt_2", "Módulo 2: Colheita e terreiro", "course_pt"),
    Shelf("pt_2_extra", "Materiais extras", "pt_2"),
    Shelf("pt_3", "Módulo 3: Torra", "course_pt"),
    Shelf("pt_4", "Módulo 4: Na xícara", "course_pt"),
    Shelf("course_en", "Course: From cherry to cup"),
    Shelf("course_es", "Curso: De la cereza a la taza"),
    Shelf("portraits", "Retratos da fazenda"),
    Shelf("diary", "Diário da colheita"),
    Shelf("diary_2025", "2025", "diary"),
    Shelf("diary_2026", "2026", "diary"),
    Shelf("customers", "Depoimentos"),
    Shelf("recordings", "Gravações ao vivo"),
    Shelf("archive", "Arquivo 2023", active=False),
    Shelf("archive_drafts", "Rascunhos", "archive", active=False),
)

_LAUNCH: Final = (
    Clip(
        "launch_film",
        "launch",
        "pt-BR",
        "Serra Alta, launch film",
        72,
        17,
        2,
        "pt-BR es",
        "O filme da nova safra: da estrada da serra à última luz na varanda. Versão que abre a campanha de novembro.",
    ),
    Clip(
        "launch_film_cup",
        "launch",
        "pt-BR",
        "Serra Alta, launch film, cup cut",
        72,
        17,
        16,
        "pt-BR",
        "Mesmo filme, com a xícara na abertura.",
    ),
    Clip(
        "from_cherry_to_cup",
        "launch",
        "pt-BR",
        "From cherry to cup",
        681,
        41,
        8,
        "pt-BR es en-US",
        "Eleven minutes from the branch to the kitchen table, in one take per step.",
    ),
    Clip("brewing_at_altitude", "launch", "pt-BR", "Brewing at altitude", 552, 35, 17, "pt-BR es"),
    Clip(
        "meet_joaquim",
        "launch",
        "pt-BR",
        "Meet Joaquim",
        270,
        62,
        19,
        "pt-BR",
        "Joaquim Prado planta café na Serra Alta desde os doze anos. Aqui ele conta por que nunca arrancou o primeiro pé.",
    ),
    Clip("answers", "launch", "pt-BR", "Answers from the farm", 1116, 28, 21, "pt-BR es en-US"),
    Clip(
        "how_we_roast",
        "launch",
        "pt-BR",
        "How we roast",
        426,
        48,
        13,
        "pt-BR es de",
        "A curva de torra do microlote 7, do verde ao resfriamento.",
    ),
    Clip("cut_2", "cuts", "pt-BR", "Filme de lançamento, corte 2", 72, 24, 1, "pt-BR"),
    Clip("cut_1", "cuts", "en", "Launch film, cut 1 for the agency", 72, 38, 3, "en"),
    Clip(
        "cut_music",
        "cuts",
        "pt-BR",
        "Filme de lançamento, só trilha e ambiente",
        72,
        20,
        22,
        audio="silent",
        description="Sem locução. Serve de base para as versões em outras línguas.",
    ),
    Clip("teaser_plain", "social", "pt-BR", "Teaser da safra, sem legenda", 30, 63, 7),
    Clip("teaser_captioned", "social", "pt-BR", "Teaser da safra, com legenda queimada", 30, 63, 9),
    Clip("spot_es", "social", "es", "Anuncio de lanzamiento, 30 segundos", 30, 15, 5, "es"),
    Clip("teaser_en", "social", "en", "Launch teaser, 15 seconds", 15, 14, 23, "en"),
    Clip("backstage", "social", "pt-BR", "Bastidores da filmagem", 144, 13, 4, "pt-BR"),
    Clip("fair", "social", "pt-BR", "Convite para a feira", 45, 97, 18, "pt-BR"),
    Clip("fair_copy", "social", "pt-BR", "Convite para a feira (cópia idêntica)", 45, 97, 18, "pt-BR"),
    Clip("cover_hills", "social", "pt-BR", "Abertura do canal, capa com a serra", 60, 5, 1, "pt-BR"),
    Clip("cover_cup", "social", "pt-BR", "Abertura do canal, capa com a xícara", 60, 5, 16, "pt-BR"),
    Clip("first_cup", "vertical", "pt-BR", "Vertical: a primeira xícara do dia", 33, 11, 17, "pt-BR"),
    Clip("ripe", "vertical", "pt-BR", "Vertical: três sinais de cereja madura", 42, 10, 7, "pt-BR es"),
    Clip("crack_sound", "vertical", "es", "Vertical: así suena un buen tueste", 36, 9, 14, "es"),
    Clip("altitude_taste", "vertical", "en", "Vertical: what altitude tastes like", 39, 8, 2, "en"),
)

_COURSE_PT: Final = (
    Clip("trailer", "course_pt", "pt-BR", "Trailer do curso Do pé à xícara", 72, 120, 20, "pt-BR"),
    Clip(
        "cherry_pt",
        "course_pt",
        "pt-BR",
        "Da cereja à xícara: o caminho do grão",
        681,
        118,
        8,
        "pt-BR en",
        "A aula de abertura do curso. Tem eBook, mapa mental e questionário em português e em inglês.",
    ),
    Clip("pt_altitude", "pt_1", "pt-BR", "Aula 1. O que a altitude faz com o grão", 612, 360, 4, "pt-BR es"),
    Clip("pt_varieties", "pt_1", "pt-BR", "Aula 2. Variedades: catuaí, bourbon e geisha", 738, 352, 9, "pt-BR"),
    Clip("pt_soil", "pt_1", "pt-BR", "Aula 3. Solo vivo, cobertura e sombra", 669, 344, 5, "pt-BR"),
    Clip("pt_calendar", "pt_1", "pt-BR", "Aula 4. O calendário da lavoura", 543, 336, 6, "pt-BR"),
    Clip("pt_picking", "pt_2", "pt-BR", "Aula 5. Colheita seletiva na prática", 798, 328, 7, "pt-BR es"),
    Clip("pt_four_hours", "pt_2", "pt-BR", "Aula 6. Da lavoura ao terreiro em quatro horas", 585, 320, 10, "pt-BR"),
    Clip("pt_processes", "pt_2", "pt-BR", "Aula 7. Natural, cereja descascado e lavado", 921, 312, 11, "pt-BR"),
    Clip("pt_drying", "pt_2", "pt-BR", "Aula 8. Secagem: doze viradas por dia", 507, 304, 12, "pt-BR"),
    Clip("pt_sheet", "pt_2_extra", "pt-BR", "Planilha de secagem, passo a passo", 333, 300, 10, "pt-BR"),
    Clip("pt_rakers", "pt_2_extra", "pt-BR", "Entrevista: quem vira o terreiro", 402, 298, 21),
    Clip("pt_curve", "pt_3", "pt-BR", "Aula 9. A curva de torra sem mistério", 876, 290, 13, "pt-BR es"),
    Clip("pt_crack", "pt_3", "pt-BR", "Aula 10. O primeiro estalo", 399, 282, 14, "pt-BR"),
    Clip("pt_defects", "pt_3", "pt-BR", "Aula 11. Defeitos de torra e como ouvi-los", 642, 274, 15, "pt-BR"),
    Clip("pt_water", "pt_4", "pt-BR", "Aula 12. Água: o ingrediente esquecido", 468, 266, 17, "pt-BR"),
    Clip("pt_methods", "pt_4", "pt-BR", "Aula 13. Coado, prensa e espresso", 954, 258, 16, "pt-BR"),
    Clip("pt_cupping", "pt_4", "pt-BR", "Aula 14. Prova às cegas em casa", 717, 250, 18, "pt-BR"),
)

_COURSE_ABROAD: Final = (
    Clip("en_altitude", "course_en", "en", "Lesson 1. What altitude does to a bean", 600, 190, 4, "en pt-BR"),
    Clip("en_picking", "course_en", "en", "Lesson 2. Picking only what is ripe", 561, 183, 9, "en"),
    Clip("en_drying", "course_en", "en", "Lesson 3. Three ways to dry a cherry", 774, 176, 12, "en"),
    Clip("en_curve", "course_en", "en", "Lesson 4. Reading a roast curve", 828, 169, 13, "en"),
    Clip("en_water", "course_en", "en", "Lesson 5. Water, the forgotten ingredient", 450, 162, 17, "en"),
    Clip("en_cupping", "course_en", "en", "Lesson 6. Cupping at your kitchen table", 690, 155, 18),
    Clip("es_altitude", "course_es", "es", "Clase 1. Qué le hace la altura al grano", 597, 92, 6, "es"),
    Clip("es_picking", "course_es", "es", "Clase 2. Cosechar solo lo maduro", 576, 85, 7, "es"),
    Clip("es_drying", "course_es", "es", "Clase 3. Natural, honey y lavado", 807, 78, 11, "es"),
    Clip("es_crack", "course_es", "es", "Clase 4. El primer crac", 414, 71, 15, "es"),
    Clip("es_cupping", "course_es", "es", "Clase 5. Catar en la mesa de tu cocina", 702, 64, 18),
)

_FARM: Final = (
    Clip("dalva", "portraits", "pt-BR", "Dalva, a motorista da serra", 246, 210, 5, "pt-BR"),
    Clip("bene", "portraits", "pt-BR", "Retrato: Seu Benê e o terreiro", 63, 45, 12, "pt-BR"),
    Clip("rosa", "portraits", "es", "Rosa, recolectora: veinte cosechas", 258, 140, 8, "es"),
    Clip("generations", "portraits", "en", "Three generations, one hillside", 315, 132, 20, "en"),
    Clip("diary_1", "diary_2025", "pt-BR", "Diário da colheita 1: o primeiro balaio", 339, 395, 7, "pt-BR"),
    Clip("diary_2", "diary_2025", "pt-BR", "Diário da colheita 2: mãos novas", 351, 388, 10, "pt-BR"),
    Clip("diary_3", "diary_2026", "pt-BR", "Harvest diary 3: Rosa's row", 345, 150, 9, "pt-BR"),
    Clip("diary_4", "diary_2026", "pt-BR", "Harvest diary 4: rain on the patio", 363, 143, 11),
    Clip("diary_5", "diary_2026", "es", "Diario de cosecha 5: después de la lluvia", 318, 136, 12),
    Clip("diary_6", "diary_2026", "pt-BR", "Diário da colheita 6: a última volta", 0, 0, 6, status="CONVERTING"),
    Clip("bakery", "customers", "pt-BR", "Depoimento: Padaria Dois Irmãos", 81, 230, 21, "pt-BR"),
    Clip("slow_brew", "customers", "en", "Testimonial: Slow Brew, Berlin", 93, 205, 16, "en"),
    Clip("corner", "customers", "es", "Testimonio: Cafetería La Esquina", 87, 180, 17, "es"),
    Clip("tasting", "recordings", "pt-BR", "Gravação: prova ao vivo com a cooperativa", 2700, 58, 22, "pt-BR"),
    Clip("roasting_night", "recordings", "en", "Recording: roasting night, questions answered", 3240, 30, 15),
)

_ODDS: Final = (
    Clip(
        "plain",
        "",
        "pt-BR",
        "Visita guiada à fazenda",
        90,
        7,
        3,
        "",
        "Para quem vai conhecer a Serra Alta pela primeira vez. Ainda sem legendas.",
    ),
    Clip("rain", "", "pt-BR", "Som da chuva no terreiro", 180, 110, 23, audio="silent"),
    Clip("tape", "", "pt-BR", "Fita recuperada de 1998", 63.573333, 220, 24, audio="broken"),
    Clip("upload_failed", "", "pt-BR", "MVI_0417 (envio interrompido).mov", 0, 2, 6, status="FAILED"),
    Clip("draft", "", "es", "Borrador: guía de molienda", 0, 1, 17, status="DRAFT"),
    Clip("trashed", "", "pt-BR", "institucional_final_v7_AGORA_VAI.mp4", 126, 300, 24, status="DELETING"),
    Clip("institutional", "archive", "pt-BR", "Institucional 2023", 63, 398, 22, "pt-BR"),
    Clip("institutional_draft", "archive_drafts", "pt-BR", "Institucional 2023, rascunho", 60, 399, 24),
)

CLIPS: Final = (*_LAUNCH, *_COURSE_PT, *_COURSE_ABROAD, *_FARM, *_ODDS)
"""The owner's videos."""

SCHOOL_CLIPS: Final = (
    Clip("school_welcome", "", "pt-BR", "Boas-vindas à Café Escola", 84, 80, 20, "pt-BR"),
    Clip("school_espresso", "", "pt-BR", "Barista 1: o espresso de todo dia", 612, 74, 16, "pt-BR"),
    Clip("school_milk", "", "pt-BR", "Barista 2: vaporização sem susto", 534, 67, 17),
    Clip("school_grinder", "", "pt-BR", "Barista 3: o moinho manda", 471, 60, 13),
    Clip("school_exam", "", "pt-BR", "Prova prática, turma de outubro", 1290, 31, 21),
)
"""Those of its sub-account."""

OTHER_CLIPS: Final = (
    Clip("other_plain", "", "pt-BR", "Vídeo de outra conta", 90, 20, 24),
    Clip("other_with_subtitles", "", "pt-BR", "Outra conta, com legendas", 120, 22, 23, "pt-BR"),
)
"""Those of an account that has nothing to do with it: nobody else may ever see them."""

BOOKMARKS: Final[dict[str, dict[float, str]]] = {
    "launch_film": {0: "A estrada da serra", 14.5: "Colheita", 38: "No terreiro", 57: "A última luz"},
    "cut_2": {0: "A estrada da serra", 21: "Colheita", 44: "Varanda"},
    "from_cherry_to_cup": {0: "The branch", 96: "Picking", 240: "Drying", 402: "Roasting", 590: "The kitchen table"},
    "cherry_pt": {0: "O que vamos ver", 75: "Colheita", 228: "Secagem", 410: "Torra", 575: "Na xícara"},
    "pt_curve": {0: "Antes de ligar o tambor", 210: "Perda de água", 455: "Primeiro estalo", 690: "Resfriamento"},
}
"""Chapters of some videos, as their player shows them: title by seconds."""
