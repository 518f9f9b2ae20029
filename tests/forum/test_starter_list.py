"""The starter list: innocent texts that it allows, offensive texts that it finds, and the order of its file."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import forum.profanity
from forum.profanity.config import compiled
from forum.profanity.normalization import normalize_word
from forum.profanity.starter import starter
from forum.profanity.types import Matching, Severity

FOLDER = Path(forum.profanity.__file__).parent

INNOCENT_WORDS = """
artículo ridículo vehículo computadora disputa reputación Scunthorpe cocktail Essex assassin class Matsushita
Penistone analyst cockpit Dickens pussycat cumulative circumstance shiitake shitake basement putamen imputar
computación putativo amputar Puták culoteo cálculo calculo oculo matículo currículo película penal penetrar tetera
diputado diputada reputado cono conos ano años mañana penne perro pero pollo pollito repollo folleto folletos follaje
follón acoger escoger recoger encoger cogollo polvo polvorón huevo huevos concha cola pico bicho gato rata zorro jamón
mamut espiga castaña puntuación computar disputar reputar imputado diputación putrefacto Putin sputnik kaputt input
output putting compute deputy dispute reputation amputate computer shuttle shirt short shift Hitchcock Hancock peacock
woodcock cocker coconut cockatoo babcock Dickinson Dixie dictionary predicate addict cucumber document cumin
accumulate cumbia circumference Cumberland cúmulo assess asset assist associate bass brass glass grass mass pass
passage compass embarrass cassette massage harassment Sussex Middlesex sextant unisex bisexto title titular titán
constitution institute competition appetite petition altitude Arsenal arsénico arsenic parse coarse hearse rehearse
Basshunter therapist grape drape scrape Penélope península pencil happen pennant Pennsylvania canal banal manual
anular análisis analgésico analógico analog analytics annual Uranus anís buttress button butter rebuttal attribute
contribute Buttigieg hello shell Michelle Shelley Mitchell seashell hellenic nigiri Niger Nigeria Nigel denigrate
snigger renegade niggle night knight Montenegro negro negra negros morena marrón fagot fagots fagottist Fagan
sarcófago esófago swag flag bitácora bitcoin habichuela Bitchu kitchen switch glitch stitch retrasar retraso tardar
tarde bastar bastante abastecer bastidor caballo cabra cabrito cabrero encabezar Cabrera Cabral mierense miércoles
coñac cónyuge Logroño retoño pezuña jodhpur joya Gilípolis pollastre gilda chingolo Chinguetti pendiente depender
independiente vergel vergüenza envergadura convergencia vergonzoso divergente Pajares pajarito paja pijama pijo Puyol
puntería mamá mamás mamífero mamografía cacao cacahuate cacatúa cagüama Cagliari culminar culpa cultura oculto ocular
molécula partícula matrícula vínculo círculo obstáculo espectáculo músculo testículo sexto sexta sexteto Sexta
analfabeto semental semántica semen tetris tetracampeón Tetuán putrefacción sodio sodium soda whorl Cockburn cockle
hoedown shoe shoes phoenix canoe tiptoe oboe Ivanhoe Chloé horehound Hornsey Wankel ptas ptos hp HP tf mf af moron
Morón Dago Bimbo Fanta gandules rosquetes chochos mensa Mensa Pánfilo zoquetes Machupicchu
""".split()  # noqa: SIM905 - words read better as text

INNOCENT = [
    "Mañana a las seis presentamos el artículo sobre la reputación de la computadora.",
    "Este año cumplo diez años y quiero un cono de helado.",
    "El vuelo se ha retrasado dos horas y llegaremos tarde.",
    "El comienzo del concierto está retrasado por la lluvia.",
    "Los pagos retrasados se cobran el lunes.",
    "Hoy hay lomo de cerdo, costillas de cerdo y carne de cerdo a la parrilla.",
    "Tacos de puerco a dos por uno.",
    "Mi perra se llama Luna y es muy buena.",
    "Se busca perra perdida en el parque.",
    "Recoge los folletos en recepción.",
    "Voy a coger el autobús de las ocho.",
    "¿Quién coge las entradas?",
    "Se limpia el polvo con un paño seco.",
    "Quiero dos huevos fritos con jamón.",
    "En la playa encontré una concha preciosa.",
    "Hay mucha cola para entrar.",
    "El pico más alto de la sierra.",
    "Taller de payasos para niños el domingo.",
    "Vendo disfraz de payaso, talla M.",
    "Nos tocó el Gordo de Navidad.",
    "El dedo gordo del pie me duele.",
    "Pollo con arroz y repollo.",
    "Arroz con gandules y pernil.",
    "La polla mundialista cierra el viernes.",
    "Se graduó cum laude en computación.",
    "Pinche aquí para ver el programa.",
    "Buscamos pinche de cocina con experiencia.",
    "Dieron por inútil el billete, así que resulta inútil intentar entrar.",
    "El fagot y el oboe abren el concierto.",
    "Las elecciones de diputados se disputan en octubre.",
    "El negro le queda bien a esta sala.",
    "La comunidad gay organiza una fiesta el sábado.",
    "Es una mujer lesbiana y muy querida en el barrio.",
    "Gitanos, judíos y musulmanes convivieron en la ciudad.",
    "Sacad la basura antes de las diez.",
    "La impresora HP no imprime, TF 922 000 000.",
    "El capullo de rosa se abrió esta mañana.",
    "Estoy muerto de hambre, ¿pedimos algo?",
    "Tengo la espalda mojada de tanto bailar.",
    "El espectáculo fue increíble, gracias a todos.",
    "Buenísimo el evento, volveré seguro.",
    "Hasta las doce no abre la puerta.",
    "Son las 10 y 45, nos vemos en el 4º piso.",
    "I have a class on Monday about classic assassins.",
    "The analyst from Essex drove to Scunthorpe and Penistone.",
    "Under no circumstance open the cockpit door.",
    "Dick Van Dyke was great in that film.",
    "We read Moby Dick and Dickens at school.",
    "A garden hoe and a spade for sale.",
    "Blue tits and great tits nest in our garden.",
    "Shiitake mushrooms and a cocktail, please.",
    "The cumulative total is in the basement.",
    "He graduated magna cum laude.",
    "It is as simple as it sounds: as soon as she says so.",
    "Nutritionists say fatty acids are fine.",
    "The hotel is spic and span.",
    "A chink in the armour of the plan.",
    "Use dumbbells and a kettlebell twice a week.",
    "She passed the title and won the competition.",
    "Doors open at 7, be there or be square!!!",
    "Write to classics@assets.example or see https://sh1t.example/fuck.",
]

OFFENSIVE = [
    ("eres una puta", Severity.HIGH),
    ("hijo   de\nputa", Severity.HIGH),
    ("HIJOS DE PUTA", Severity.HIGH),
    ("menudo hijoputa", Severity.HIGH),
    ("qué gonorrea tan malparida", Severity.HIGH),
    ("conchetumare", Severity.HIGH),
    ("la concha de tu madre", Severity.HIGH),
    ("chinga tu madre", Severity.HIGH),
    ("negro de mierda", Severity.HIGH),
    ("sudacas fuera", Severity.HIGH),
    ("maricón", Severity.HIGH),
    ("mamagüevo", Severity.HIGH),
    ("eres un retrasado mental", Severity.HIGH),
    ("ojalá te mueras", Severity.HIGH),
    ("nigger", Severity.HIGH),
    ("faggots", Severity.HIGH),
    ("you stupid cunt", Severity.HIGH),
    ("go kill yourself", Severity.HIGH),
    ("vete a la mierda", Severity.MEDIUM),
    ("que te jodan", Severity.MEDIUM),
    ("gilipollas", Severity.MEDIUM),
    ("pinche pendejo", Severity.MEDIUM),
    ("qué cabrón", Severity.MEDIUM),
    ("pelotudo", Severity.MEDIUM),
    ("weón culiao", Severity.MEDIUM),
    ("coño", Severity.MEDIUM),
    ("vales verga", Severity.MEDIUM),
    ("what the fuck", Severity.MEDIUM),
    ("bullshit", Severity.MEDIUM),
    ("shut up bitch", Severity.MEDIUM),
    ("tonta", Severity.LOW),
    ("qué asco das", Severity.LOW),
    ("payaso", Severity.LOW),
    ("idiota", Severity.LOW),
    ("damn", Severity.LOW),
    ("what an idiot", Severity.LOW),
]

DISGUISED = """
p.u.t.a|p u t a|put4|putaaa|PUTA|pÚtÁ|ｐｕｔａ|рutа|p-u-t-a|pppuuutttaaa|hijo de put4|h.i.j.o.p.u.t.a|mi3rda|m i e r d a
mieeeerda|MIERDAAA|m1erd4|gil1pollas|g1lip0llas|cabr0n|c4brón|c.a.b.r.o.n|p3ndejo|pendejooo|imb3cil|imbeciiil|idi0ta
fuuuuck|f u c k|f.u.c.k|f*ck|FUCKING|sh1t|sh!t|shiiiit|s.h.i.t|b1tch|biiitch|b!tch|a$$hole|assh0le|n1gger|f@ggot|wh0re
cu\u200bnt|pu\u0301ta|c o ñ o|coñoooo|j0der|joderrrr|zorr4|m4ricon|𝐩𝐮𝐭𝐚|ⓟⓤⓣⓐ|𝖋𝖚𝖈𝖐|p_u_t_a|motherfuckerrr|mothafucka
"""


def find_words(text: str) -> list[str]:
    return [f"{text[match.start : match.end]} ({match.word})" for match in compiled(starter()).find(text)]


def test_innocent_words_are_allowed() -> None:
    spellings = [spelling for word in INNOCENT_WORDS for spelling in (word, f"{word.upper()}, {word.capitalize()}!")]
    assert {spelling: find_words(spelling) for spelling in spellings if find_words(spelling)} == {}


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_sentences_are_allowed(text: str) -> None:
    assert find_words(text) == []


@pytest.mark.parametrize(("text", "worst"), OFFENSIVE)
def test_offensive_texts_are_found_with_their_severity(text: str, worst: Severity) -> None:
    order = list(Severity)
    matches = compiled(starter()).find(text)
    assert matches, text
    assert min((match.severity for match in matches), key=order.index) == worst


@pytest.mark.parametrize("text", DISGUISED.strip().replace("\n", "|").split("|"))
def test_disguised_words_are_found(text: str) -> None:
    assert find_words(text), text
    assert find_words(f"Pues {text}, dijo."), text


def csv_rows() -> list[dict[str, str]]:
    with (FOLDER / "starter.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_file_is_sorted_and_has_no_duplicates() -> None:
    forms = [normalize_word(row["word"]) for row in csv_rows()]
    assert all(forms)
    assert len(set(forms)) == len(forms)
    assert forms == sorted(forms), "sorted, so that changes are easy to review"


def test_no_listed_word_is_also_innocent() -> None:
    forms = {normalize_word(row["word"]) for row in csv_rows()}
    lines = (FOLDER / "innocent.txt").read_text(encoding="utf-8").splitlines()
    assert not forms & {normalize_word(line) for line in lines}
    assert len(set(lines)) == len(lines)


def test_each_word_of_the_list_is_found() -> None:
    missing = [word.text for word in starter().words if not compiled(starter()).find(f"¡{word.text}!")]
    assert missing == []


def test_the_words_that_match_inside_others() -> None:
    inside = {word.text for word in starter().words if word.matching is Matching.INSIDE}
    assert inside == {
        "asshole", "bitch", "comemierda", "faggot", "fuck", "gilipollas", "hijoputa", "hijueputa", "mierda",
        "motherfucker",
    }  # fmt: skip
