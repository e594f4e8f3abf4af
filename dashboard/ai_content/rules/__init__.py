"""Pure functions over the JSON of a language's file [2.8, 4.3].

package      the file as a whole: blocks, canonical form, digest, payload, matching of list elements
quiz         questions and alternatives, problems of a quiz, and the same quiz in two languages
mindmap      trees of labels inside any JSON, the moves of an outline, and the diagram
difference   common parts of sequences, differences of texts, what changed in a file, and merging two people's changes
"""
