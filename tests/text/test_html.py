"""HTML that is written piece by piece."""

from __future__ import annotations

from explorer.text.html import Html, around, filled_with, html, start, tag, with_code


def test_a_text_is_escaped_and_html_is_written_as_it_is() -> None:
    assert tag("p", '1 < 2 & "3"', tag("b", "it's")) == "<p>1 &lt; 2 &amp; &quot;3&quot;<b>it&#x27;s</b></p>"
    assert html("<", Html("<br>"), html("&")) == "&lt;<br>&amp;"
    assert html(tag("i")) == tag("i") == "<i></i>"


def test_attributes_are_escaped_and_left_out_where_they_say_nothing() -> None:
    begun = start("a", href='x"y', class_="dim", aria_label="<", open=True, hidden=False, style=None, width=3)
    assert begun == '<a href="x&quot;y" class="dim" aria-label="&lt;" open width="3">'
    assert start("pre", style=Html("font: 'a'")) == "<pre style=\"font: 'a'\">"


def test_a_part_of_a_sentence_is_html_while_the_sentence_is_a_text() -> None:
    assert filled_with("see {} & {}", tag("a", "b"), "<c>") == "see <a>b</a> &amp; &lt;c&gt;"
    assert with_code("`a < b` is <x>") == "<code>a &lt; b</code> is &lt;x&gt;"


def test_an_element_comes_in_pieces() -> None:
    assert [*around("ol", [tag("li", "&")], id="x")] == ['<ol id="x">', "<li>&amp;</li>", "</ol>"]
