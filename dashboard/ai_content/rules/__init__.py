"""Pure functions over the JSON of a language's file [2.8, 4.3].

package      the file as a whole: blocks, canonical form, digest, payload, matching of list elements
quiz         questions and alternatives, edited in place with everything unknown kept
lint         problems of a quiz that the platform refuses, and advice
languages    the same quiz in two languages
mindmap      trees of labels inside any JSON, and the moves of an outline
drawing      coordinates of a mind map's diagram
branches     the part of a large mind map that one page shows
alignment    common parts of two sequences
difference   what changed, field by field
merge        three-way merge of two people's changes
"""
