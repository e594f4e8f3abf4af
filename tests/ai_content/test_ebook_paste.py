"""What is copied from Word, Google Docs and LibreOffice keeps its headings, bold, italics, lists, links and tables."""

import re

import pytest

from dashboard.ai_content import ebook_markdown

WORD = """<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Word.Document>
<title>x</title>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- /* Style Definitions */ p.MsoNormal, li.MsoNormal {mso-style-unhide:no; font-size:11.0pt;} --></style></head>
<body lang=EN-US style='tab-interval:35.4pt;word-wrap:break-word'><!--StartFragment-->
<p class=MsoTitle><span lang=EN-US>Coffee book<o:p></o:p></span></p>
<h1><span lang=EN-US style='mso-ansi-language:EN-US'>From cherry<br>to cup<o:p></o:p></span></h1>
<p class=MsoNormal><span lang=EN-US style='mso-ansi-language:EN-US'>Some <b style='mso-bidi-font-weight:normal'>bold</b>,
<i>italic</i> and <b><i>both</i></b>, see <a href="https://coffee.example/a?b=1&amp;c=2"><span style='color:#0563C1'>the
page</span></a>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Pick<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if
!supportLists]><span style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>by <b>hand</b><o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span></span><![endif]>Wash<o:p></o:p></p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-list:Ignore'>1.<span>&nbsp; </span></span><![endif]>Roast<o:p></o:p></p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-list:Ignore'>2.<span>&nbsp; </span></span><![endif]>Grind<o:p></o:p></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;mso-yfti-tbllook:1184'>
 <tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'><td width=301 valign=top style='width:225.4pt'>
  <p class=MsoNormal style='margin-bottom:0cm'><b>Bean<o:p></o:p></b></p></td>
  <td width=301 valign=top><p class=MsoNormal>Price | kg<o:p></o:p></p></td></tr>
 <tr><td><p class=MsoNormal>Arabica<o:p></o:p></p><p class=MsoNormal>washed<o:p></o:p></p></td>
  <td><p class=MsoNormal>12<o:p></o:p></p></td></tr>
</table>
<p class=MsoNormal>End.<o:p></o:p></p>
<!--EndFragment--></body></html>"""

DOCS = """<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-8f1c2a7e-7fff">
<h1 dir="ltr" style="line-height:1.38;margin-top:20pt;"><span style="font-size:20pt;font-weight:400;font-style:normal;\
text-decoration:none;white-space:pre-wrap;">From cherry to cup</span></h1>\
<p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:400;font-style:normal;white-space:pre-wrap;">\
Some </span><span style="font-size:11pt;font-weight:700;font-style:normal;">bold</span><span style="font-weight:400;">, \
</span><span style="font-weight:400;font-style:italic;">italic</span><span style="font-weight:400;"> and </span>\
<span style="font-weight:700;font-style:italic;">both</span><span style="font-weight:400;">, see </span>\
<a href="https://coffee.example/a?b=1&amp;c=2" style="text-decoration:none;"><span style="color:#1155cc;font-weight:400;\
text-decoration:underline;">the page</span></a><span style="font-weight:400;">.</span></p><br />\
<ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;font-weight:400;" aria-level="1">\
<p dir="ltr" style="line-height:1.38;" role="presentation"><span style="font-weight:400;">Pick</span></p></li>\
<ul style="margin-top:0;"><li dir="ltr" style="list-style-type:circle;" aria-level="2"><p dir="ltr" role="presentation">\
<span style="font-weight:400;">by </span><span style="font-weight:700;">hand</span></p></li></ul>\
<li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Wash</span></p></li></ul>\
<ol><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Roast</span></p></li>\
<li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Grind</span></p></li></ol>\
<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup>\
<col /><col /></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000 1pt;"><p dir="ltr">\
<span style="font-weight:700;">Bean</span></p></td><td><p dir="ltr"><span>Price | kg</span></p></td></tr><tr><td>\
<p dir="ltr"><span>Arabica</span></p><p dir="ltr"><span>washed</span></p></td><td><p dir="ltr"><span>12</span></p></td></tr>\
</tbody></table></div><p dir="ltr"><span style="font-weight:400;">End.</span></p></b><br class="Apple-interchange-newline">"""

LIBRE = """<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><title></title>
<meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">p { line-height: 115%; background: transparent }
h1.western { font-size: 18pt } a:link { color: #000080 }</style></head><body lang="en-US" link="#000080" dir="ltr">
<h1 class="western">From cherry to cup</h1>
<p style="line-height: 100%; margin-bottom: 0cm">Some <b>bold</b>, <i>italic</i> and <i><b>both</b></i>, see <a
href="https://coffee.example/a?b=1&amp;c=2"><font color="#000080"><u>the page</u></font></a>.</p>
<p><br/>

</p>
<ul>
	<li><p style="margin-bottom: 0cm">Pick</p>
	<ul>
		<li><p style="margin-bottom: 0cm">by <b>hand</b></p></li>
	</ul>
	</li>
	<li><p style="margin-bottom: 0cm">Wash</p></li>
</ul>
<ol>
	<li><p>Roast</p></li>
	<li><p>Grind</p></li>
</ol>
<table width="100%" cellpadding="4" cellspacing="0"><col width="128*"/><col width="128*"/>
	<tr valign="top"><td width="50%" style="border: 1px solid"><p><b>Bean</b></p></td><td><p>Price | kg</p></td></tr>
	<tr valign="top"><td><p>Arabica</p><p>washed</p></td><td><p>12</p></td></tr>
</table>
<p>End.</p></body></html>"""

BOOK = """# From cherry to cup

Some **bold**, *italic* and {both}, see [the page](https://coffee.example/a?b=1&c=2).

- Pick
  - by **hand**
- Wash

1. Roast
2. Grind

| **Bean** | Price \\| kg |
| --- | --- |
| Arabica washed | 12 |

End.
"""


@pytest.mark.parametrize("name", ["Word", "Google Docs", "LibreOffice"])
def test_paste_keeps_headings_bold_italics_lists_links_and_tables(name: str) -> None:
    markup = {"Word": WORD, "Google Docs": DOCS, "LibreOffice": LIBRE}[name]
    title = "# Coffee book\n\n" if name == "Word" else ""
    assert ebook_markdown.convert_paste(markup) == title + BOOK.format(both="***both***")


@pytest.mark.parametrize(
    "markup",
    [
        "just text",
        '<div style="font-family:Consolas;white-space:pre"><div><span style="color:#569cd6"># Title</span></div></div>',
        '<meta charset="utf-8"><span style="font-weight:400">one</span><p>two</p>',
        "",
    ],
)
def test_paste_without_formatting_is_left_to_the_browser(markup: str) -> None:
    assert ebook_markdown.convert_paste(markup) == ""


def test_paste_cannot_bring_in_what_runs_or_loads_from_the_disk() -> None:
    text = ebook_markdown.convert_paste(
        '<b>x</b><script>alert(1)</script><a href="javascript:alert(1)">y</a><img src="file:///C:/a.png" alt="z">'
    )
    assert text == "**x**yz\n"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<i style='mso-bidi-font-style:normal'>x</i>", "*x*"),
        ("<b style='mso-bidi-font-weight:normal;mso-ansi-font-weight:normal'>x</b>", "**x**"),
        ("<b>a <span style='mso-bidi-font-style:italic;mso-bidi-font-weight:bold'>x</span></b>", "**a x**"),
        ("<b>a</b><span style='mso-bidi-font-style:italic'> x</span>", "**a** x"),
        ("<i style='font-style:normal'>x</i><b>y</b>", "x**y**"),
        ("<b>a <span style='FONT-WEIGHT : normal !important'>x</span> b</b>", "**a** x **b**"),
        ("<span style='font-weight:bolder;font-style:oblique'>x</span>", "***x***"),
        ("<span style='font-weight:550'>x</span><span style='font-weight:600'>y</span>", "x**y**"),
        ("<span style='font-weight:bold;font-weight:normal'>x</span><i>y</i>", "x*y*"),
        ("<span style='font:italic bold 12.0px Helvetica'>x</span>", "***x***"),
        ("<span style='font-family:\"a;font-weight:bold\"'>x</span><i>y</i>", "x*y*"),
        ("<span style='/* font-weight:bold; */ font-style:italic'>x</span>", "*x*"),
        ("<p style='font-weight:bold'>x <span style='font-weight:400'>y</span></p>", "**x** y"),
        ("<span style='text-decoration:line-through'>x</span>", "~~x~~"),
        ("<s style='text-decoration:none'>x</s><i>y</i>", "x*y*"),
    ],
)
def test_paste_reads_declarations_and_not_what_looks_like_them(markup: str, text: str) -> None:
    assert ebook_markdown.convert_paste(markup) == f"{text}\n"


REMARKED = """<p class=MsoNormal>Roast <b>slowly</b>, <a style='mso-comment-reference:AP_1;mso-comment-date:20260102T0900'>very
slowly</a><span class=MsoCommentReference><span style='font-size:8.0pt'><![if !supportAnnotations]><a class=msocomanchor
id="_anchor_1" href="#_msocom_1" name="_msoanchor_1">[AP1]</a><![endif]><span
style='mso-special-character:comment'>&nbsp;</span></span></span><span class=msoDel><del cite="mailto:Ana"
datetime="2026-01-02T09:00">not at all</del></span><span class=msoIns><ins cite="mailto:Ana"
datetime="2026-01-02T09:00">, please</ins></span>. <del cite="Ana">gone</del><span style='mso-hide:all'>hidden</span></p>
<div style='mso-element:comment-list'><![if !supportAnnotations]><hr class=msocomoff align=left size=1 width="33%"><![endif]>
<div style='mso-element:comment'><div id="_com_1" class=msocomtxt><span style='mso-comment-author:"Ana Prado"'><a
name="_msocom_1"></a></span><p class=MsoCommentText><a href="#_msoanchor_1" class=msocomoff>[AP1]</a>Says who?</p></div></div>
</div>"""
SUGGESTED = """<p>Roast <b>slowly</b>, very slowly<sup><a href="#cmnt1" name="cmnt_ref1">[a]</a></sup>, please. </p>
<div style="border:1px solid black"><p><a href="#cmnt_ref1" name="cmnt1">[a]</a><span>Says who?</span></p></div>"""


@pytest.mark.parametrize("markup", [REMARKED, SUGGESTED])
def test_paste_leaves_out_what_reviewers_noted_and_took_out(markup: str) -> None:
    assert ebook_markdown.convert_paste(markup) == "Roast **slowly**, very slowly, please.\n"


def test_paste_keeps_the_words_around_remarks_where_nothing_else_is_formatted() -> None:
    assert (
        ebook_markdown.convert_paste(REMARKED.replace("<b>", "").replace("</b>", ""))
        == "Roast slowly, very slowly, please.\n"
    )


@pytest.mark.parametrize(
    "path",
    [
        "C:\\Users\\ana\\Pictures\\secret.png",
        "Description: C:\\Users\\ana\\secret.png",
        "file:///C:/Users/ana/secret.png",
        "c:/Users/ana/secret.png",
        "\\\\server\\share\\secret.png",
        "/Users/ana/Desktop/secret.png",
        "/home/ana/secret.png",
        "~/secret.png",
        "%USERPROFILE%\\secret.png",
    ],
)
def test_paste_tells_nothing_of_the_disk_of_its_writer(path: str) -> None:
    for source in (path, "https://coffee.example/cup.png"):
        text = ebook_markdown.convert_paste(
            f'<b>x</b><img src="{source}" alt="{path}" title="{path}"><a href="{path}">y</a>'
        )
        picture = "![](https://coffee.example/cup.png)" if source != path else ""
        assert text == f"**x**{picture}y\n" or (text == f"**x**{picture}[y]()\n" and ":" in path), text


def test_paste_keeps_the_words_for_a_picture_that_stays_behind() -> None:
    assert (
        ebook_markdown.convert_paste('<b>x</b> <img src="file:///C:/a.png" alt="A cup: 1/2 full">')
        == "**x** A cup: 1/2 full\n"
    )
    assert ebook_markdown.convert_paste('<a name="_Toc1">Cup</a> and <b>saucer</b>') == "Cup and **saucer**\n"


@pytest.mark.parametrize("style", ["a", "a:", "a:'", "a:(", '"', "/*", "a:(\"'", "*/"])
def test_paste_reads_styles_in_proportion_to_their_length(style: str) -> None:
    for times in (1_000, 100_000):
        quoted = (style * times).replace('"', "&quot;")
        assert ebook_markdown.convert_paste(f'<span style="{quoted}">x</span><b>y</b>') == "x**y**\n"


WORD_ONLINE = """<html><body><div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1" role="heading" aria-level="1">\
<span data-contrast="auto" class="TextRun SCXW1"><span class="NormalTextRun SCXW1">Coffee</span></span>\
<span class="EOP SCXW1" data-ccp-props="{}">&nbsp;</span></p></div><div class="ListContainerWrapper SCXW1">\
<ul class="BulletListStyle1" role="list"><li role="listitem" data-aria-level="1" aria-level="1" class="OutlineElement Ltr">\
<p class="Paragraph"><span class="TextRun">Pick</span></p></li></ul></div><div class="ListContainerWrapper SCXW1">\
<ul role="list"><li role="listitem" aria-level="2"><p><span style="font-weight:bold">by hand</span></p></li></ul></div>\
<div class="ListContainerWrapper SCXW1"><ul role="list"><li role="listitem" aria-level="1"><p>Wash</p></li></ul></div>\
<div class="ListContainerWrapper SCXW1"><ol role="list" start="1"><li role="listitem" aria-level="1"><p>Roast</p></li></ol></div>\
<div class="ListContainerWrapper SCXW1"><ol role="list" start="2"><li role="listitem" aria-level="1"><p>Grind</p></li></ol></div>\
<div class="OutlineElement"><p>End</p></div></body></html>"""


def test_lists_of_word_online_keep_their_levels_and_numbers() -> None:
    assert ebook_markdown.convert_paste(WORD_ONLINE) == (
        "# Coffee\n\n- Pick\n  - **by hand**\n- Wash\n\n1. Roast\n2. Grind\n\nEnd\n"
    )


@pytest.mark.parametrize("marker", ["1.1.", "1.1", "(i)", "a)", "2)"])
def test_items_that_word_numbers_are_numbered(marker: str) -> None:
    words = "<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>{}<span>&nbsp;</span></span>{}</p>"
    made = ebook_markdown.convert_paste(words.format(marker, "one") + words.format(marker, "two"))
    assert re.fullmatch(r"(\d)\. one\n\d\. two\n", made), made


FOOTNOTES = """<p class=MsoNormal><b>Fruit</b> first<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1" title="">\
<span class=MsoFootnoteReference><span style='mso-special-character:footnote'>[1]</span></span></a>.</p>\
<div style='mso-element:footnote-list'><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>\
<a style='mso-footnote-id:ftn1' href="#_ftnref1" name="_ftn1" title="">[1]</a> Says who.</p></div></div>\
<p>See <a href="file:///home/ana/beans.odt">the beans</a>, <a href="#__RefHeading___1">below</a> or <a href="#anchor"></a>\
<a href="mailto:a@coffee.example">write</a>.</p>"""


def test_links_into_the_document_and_to_the_disk_are_words() -> None:
    assert ebook_markdown.convert_paste(FOOTNOTES) == (
        "**Fruit** first\\[1\\].\n\n\\[1\\] Says who.\n\nSee the beans, below or [write](mailto:a@coffee.example).\n"
    )
