"""Replaces what is the same on every page by its text when a template is loaded: translations, icons, addresses.

A page of 25 posts looked up its texts 300 times. The templates of each language are loaded once.
"""

from __future__ import annotations

from typing import Any

from django.template import Context, Template
from django.template.base import FilterExpression, Node, NodeList, TextNode, TokenType
from django.template.defaulttags import IfNode, URLNode
from django.template.library import SimpleNode
from django.template.loaders import cached
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.templatetags.static import StaticNode
from django.utils.translation import get_language

from dashboard.web.templatetags.ui import icon


class LanguageLoader(cached.Loader):
    """Keeps each template once for each language."""

    def cache_key(self, template_name: str, skip: Any = None) -> str:
        return f"{get_language()}:{super().cache_key(template_name, skip)}"

    def get_template(self, template_name: str, skip: Any = None) -> Template:
        is_loaded = self.cache_key(template_name, skip) in self.get_template_cache
        template = super().get_template(template_name, skip)
        if not is_loaded:
            fold(template)
        return template


def fold(template: Template) -> None:
    context = Context()
    with context.bind_template(template):
        _fold(template.nodelist, context)


def _fold(nodes: NodeList, context: Context) -> None:
    folded: list[Node] = []
    for node in nodes:
        text = node.s if type(node) is TextNode else str(node.render(context)) if _is_constant(node) else None
        if text is None:
            for children in _children(node):
                _fold(children, context)
            folded.append(node)
        elif folded and type(folded[-1]) is TextNode:
            folded[-1] = _text_node(folded[-1].s + text, folded[-1])
        else:
            folded.append(_text_node(text, node))
    nodes[:] = folded


def _text_node(text: str, at: Node) -> TextNode:
    node = TextNode(text)
    node.token, node.origin = at.token, at.origin
    return node


def _children(node: Node) -> list[NodeList]:
    if isinstance(node, IfNode):
        return [nodes for _condition, nodes in node.conditions_nodelists]
    lists = [getattr(node, name, None) for name in node.child_nodelists]
    return [nodes for nodes in lists if isinstance(nodes, NodeList)]


def _is_constant(node: Node) -> bool:
    """Whether it shows the same to everybody who reads this language."""
    if isinstance(node, TranslateNode):
        return not node.asvar and _are_literals(node.filter_expression)
    if isinstance(node, BlockTranslateNode):
        texts = [*node.singular, *(node.plural or ())]
        return not (node.asvar or node.extra_context or node.countervar) and all(
            token.token_type == TokenType.TEXT for token in texts
        )
    if isinstance(node, URLNode):
        return not (node.asvar or node.args or node.kwargs) and _are_literals(node.view_name)
    if isinstance(node, StaticNode):
        return not node.varname and _are_literals(node.path)
    if isinstance(node, SimpleNode):
        return node.func is icon and not node.target_var and _are_literals(*node.args, *node.kwargs.values())
    return False


def _are_literals(*expressions: FilterExpression) -> bool:
    return not any(
        expression.filters or (expression.is_var and expression.var.lookups is not None) for expression in expressions
    )
