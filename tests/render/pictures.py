"""What is in a picture."""

from xml.etree import ElementTree


def words_of(svg: str) -> list[str]:
    """The lines of text of a picture; it must be well-formed."""
    root = ElementTree.fromstring(svg)
    return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
