"""Comments as files: for people (CSV, text), for programs (JSON), and as markers for editing rooms.

    file = write("edl", notes, options)      # File(name, content_type, content)

No database and no request: whoever calls brings `Note`s, `Options` and, translated, `Words`.

Why the marker files are written here: opentimelineio's adapters were tried (0.18, cmx3600, fcp and fcpx 1.0). Its EDL
carries `* LOC:` lines in capitals without the note, which Resolve does not read as markers; its FCPXML drops the notes,
has an empty frame duration at 29.97 and refers to media that does not exist; its xmeml drops the notes and always counts
non-drop. Its readers are good, so the tests read our files with them.
"""
