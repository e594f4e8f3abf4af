"""What is true of AI content whatever page shows it: pure functions over the JSON of a language's file [2.8, 4.3].

package      the file as a whole: blocks, canonical form, digest, payload
quiz         questions and alternatives, edited in place with everything unknown kept
lint         what a quiz's author would want to know before viewers do
languages    the same quiz in two languages
mindmap      trees of labels inside any JSON, and the moves of an outline
drawing      where a mind map's boxes go
pairing      which element of one list is which of another
difference   what changed, field by field
merging      two people's changes into one
"""
