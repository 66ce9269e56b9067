from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.messages import Array, Cancel, Measurement, Printed, Request, frames

texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    texts, st.dictionaries(texts, st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | texts)
)
def test_a_request_survives_the_pipe(source: str, parameters: dict[str, bool | int | float | str]) -> None:
    request = Request(1, source, "<f>", parameters=parameters)
    back = frames.decode_to_worker(frames.read_frame(io.BytesIO(frames.encode(request))))
    assert back == request
    assert [type(value) for value in back.parameters.values()] == [type(value) for value in parameters.values()]


def test_a_lone_surrogate_is_written_out() -> None:
    body = frames.read_frame(io.BytesIO(frames.encode(Request(1, "a\udcff", "<f>", parameters={"\udcff": "한\udcff"}))))
    written = Request(1, r"a\udcff", "<f>", parameters={r"\udcff": r"한\udcff"})
    assert frames.decode_to_worker(body) == written


@given(st.lists(texts, max_size=5), st.lists(st.integers(1, 40), min_size=1, max_size=60))
def test_frames_are_found_however_the_pipe_cuts_them(words: list[str], cuts: list[int]) -> None:
    stream = b"".join(frames.encode(Printed(number, text)) for number, text in enumerate(words))
    buffer, found, place, turn = frames.FrameBuffer(), [], 0, 0
    while place < len(stream):
        step = cuts[turn % len(cuts)]
        found += [frames.decode_from_worker(body) for body in buffer.feed(stream[place : place + step])]
        place, turn = place + step, turn + 1
    assert found == [Printed(number, text) for number, text in enumerate(words)]


@pytest.mark.parametrize("values", [np.zeros((0, 3)), np.float32(2.5), np.arange(12).reshape(3, 4).T, np.array([True])])
def test_an_array_survives_the_pipe(values: np.ndarray) -> None:
    sent = Measurement(1, "f", ("jit",), {}, "cpu:0", samples_s=Array.of(values))
    back = frames.decode_from_worker(frames.encode(sent)[frames.HEADER.size :])
    np.testing.assert_array_equal(back.samples_s.numpy(), values)
    assert back.samples_s.numpy().dtype == values.dtype


def test_one_value_all_over_is_sent_once() -> None:
    sent = Array.of(np.broadcast_to(np.int32(7), (1000, 3)))
    assert sent.data.nbytes == 4
    np.testing.assert_array_equal(sent.numpy(), np.full((1000, 3), 7))


@pytest.mark.parametrize(
    "stream", [b"\x00", b"\xff" * 8, frames.HEADER.pack(10) + b"short"], ids=["cut header", "absurd length", "cut body"]
)
def test_a_broken_stream_is_refused(stream: bytes) -> None:
    with pytest.raises(frames.FrameError):
        frames.read_frame(io.BytesIO(stream))


def test_the_end_of_the_stream_is_no_frame() -> None:
    assert frames.read_frame(io.BytesIO(b"")) is None


def test_a_message_of_the_wrong_direction_is_refused() -> None:
    with pytest.raises(frames.FrameError):
        frames.decode_from_worker(frames.encode(Cancel(1))[frames.HEADER.size :])
    with pytest.raises(frames.FrameError):
        frames.decode_to_worker(b"\x93garbage")


def test_a_text_that_is_none_is_refused() -> None:
    body = frames.encode(Printed(1, "abc"))[frames.HEADER.size :]
    with pytest.raises(frames.FrameError):
        frames.decode_from_worker(body.replace(b"abc", b"a\x83c"))
