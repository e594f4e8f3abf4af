"""The embedded platform: a complete, persistent implementation of the specification [1-9].

One table (`routes.py`) names every operation. The dispatcher, the OpenAPI document and the fault panel are made
from it. It is reached in-process (`transport.py`) and over HTTP (`views.py`), with the same bytes.
"""
