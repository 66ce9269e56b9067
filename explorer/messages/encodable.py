"""Escapes lone surrogates, as in file names that are no Unicode, for JSON and text; ``packed``, for msgpack."""

from __future__ import annotations

from typing import Any

import msgspec


def encodable(record: object) -> Any:
    """Return `record` as plain dicts, lists and texts that JSON and msgpack can encode."""
    return _written_out(msgspec.to_builtins(record, builtin_types=(bytes, bytearray, memoryview)))


def encodable_text(text: str) -> str:
    """Return `text` with lone surrogates escaped, as in Python's own error messages."""
    return text.encode(errors="backslashreplace").decode()


def packed(record: object) -> bytes:
    """Return `record` in msgpack, with lone surrogates escaped."""
    try:
        return msgspec.msgpack.encode(record)
    except UnicodeEncodeError:
        return msgspec.msgpack.encode(encodable(record))


def _written_out(value: Any) -> Any:
    if isinstance(value, str):
        return encodable_text(value)
    if isinstance(value, dict):
        return {_written_out(name): _written_out(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_written_out(each) for each in value]
    return value
