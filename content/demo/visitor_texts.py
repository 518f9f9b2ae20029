"""The texts of the demo's visitors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# The name, the text, and the decisions about it; or a status that another service has stored.
COMMENTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Petra Núñez", "¿De qué región es el café? Vivo en Ñuñoa y no lo encuentro.", ("approve",)),
    ("Bruno Salas", "Muy buen artículo, lo compartí con mi equipo.", ("approve",)),
    ("Ofertas Ya", "GANA DINERO desde casa >>> http://barato.example", ("spam",)),
    ("Ximena Rojas", "Lo preparé como dicen y salió perfecto.", ("approve",)),
    ("Anónimo", "Son unos imbéciles, el camión nunca llega.", ("hide",)),
    ("Petra Núñez", "Gracias por responder tan rápido.", ("approve",)),
    ("Dr. Pastillas", "Pastillas sin receta, envío gratis http://farma.example", ("hide", "spam")),
    ("Luis Carrasco", "¿Sirve con molido fino?", ("rejected",)),
    ("Marta Gil", "¿Cuánto tiempo hay que dejarlo reposar?", ("approve", "hide", "approve")),
    ("Casino Online", "Apuesta ahora y duplica tu saldo http://casino.example", ("spam",)),
    ("Iván Soto", "El enlace del mapa no funciona.", ("hide",)),
    ("Petra Núñez", "Segunda vez que paso por el kiosco y está cerrado.", ()),
    ("Rabioso 99", "Qué idiota el que escribió esto, puta madre.", ()),
    ("Carolina Vega", "¿Se puede hacer sin azúcar?", ()),
    ("Tienda Fácil", "Visita mi tienda http://tienda.example y pide tu descuento", ()),
    ("Joaquín Mena", "Buenísimo, ¿tienen más recetas?", ()),
    ("Rabioso 99", "Otra vez lo mismo, son una mierda.", ()),
    ("Elena Fuentes", "En mi barrio ya hay tres kioscos. Da gusto ver que crecen.", ()),
)


@dataclass(frozen=True)
class DemoContact:
    """A visitor who left an address, and what people did about it."""

    email: str
    name: str | None
    source: str
    # What they wrote with each contact, the first one this many days ago.
    messages: tuple[str, ...]
    days: float
    extra: dict[str, Any] = field(default_factory=dict)
    stage: str = ""
    note: str = ""
    step: str = ""
    step_in: int = 0


CONTACTS = (
    DemoContact(
        "Otto@Kermesse.example",
        "Otto Kern",
        "contact-form",
        ("Necesito bebidas para una feria de 400 personas.", "¿Recibieron mi mensaje?"),
        9,
        {"budget": 1200000, "interests": ["bebidas", "vasos"], "referral": "https://buscador.example/"},
        "Contacted",
        "Pidió factura. Prefiere que lo llamen por la tarde.",
        "Enviar la cotización",
        -1,
    ),
    DemoContact("otto@kermesse.example", None, "Comment", ("",), 4),
    DemoContact(
        "compras@hotelmar.example",
        "Sandra Pinto",
        "contact-form",
        ("Queremos cambiar de proveedor para el bar del hotel.",),
        6,
        {"rooms": 84, "apiToken": "no-mostrar"},
        "Contacted",
        "",
        "Visitar el hotel",
        2,
    ),
    DemoContact("ines@cafetin.example", "Inés Lara", "newsletter", ("",), 2),
    DemoContact("petra@correo.example", "Petra Núñez", "Comment", ("",), 1.5),
    DemoContact("j.mena@correo.example", None, "Website", ("¿Venden al detalle?",), 0.4, {"phone": "+56 9 5555 0101"}),
    DemoContact(
        "eventos@municipio.example",
        "Dirección de Eventos del Municipio de San Bernardo de los Andes",
        "contact-form",
        ("Licitación de bebidas para las fiestas patrias.",),
        20,
        {},
        "Converted",
        "Contrato firmado hasta diciembre.",
    ),
    DemoContact("spam@barato.example", "Ofertas", "contact-form", ("Gane dinero ya",), 12, {}, "Archived"),
)
