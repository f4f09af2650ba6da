"""A producer of Arrow's C stream, by ctypes alone: columns of Python lists with None for null."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, cast, pointer

import numpy as np


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


ReleaseSchema, ReleaseArray = CFUNCTYPE(None, POINTER(Schema)), CFUNCTYPE(None, POINTER(Array))
ReleaseStream = CFUNCTYPE(None, POINTER(Stream))
GetSchema, GetNext = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema)), CFUNCTYPE(c_int, POINTER(Stream),
                                                                                   POINTER(Array))
LastError = CFUNCTYPE(c_char_p, POINTER(Stream))
Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
                   ("n_children", c_int64), ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
                   ("release", ReleaseSchema), ("private", c_void_p)]
Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                  ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))),
                  ("dictionary", POINTER(Array)), ("release", ReleaseArray), ("private", c_void_p)]
Stream._fields_ = [("get_schema", GetSchema), ("get_next", GetNext), ("last_error", LastError),
                   ("release", ReleaseStream), ("private", c_void_p)]

_NUMPY = {"c": "int8", "C": "uint8", "s": "int16", "S": "uint16", "i": "int32", "I": "uint32", "l": "int64",
          "L": "uint64", "f": "float32", "g": "float64", "tdD": "int32", "tdm": "int64"}
_alive = []  # what was exported stays


def _bits(flags):
    return np.packbits(np.array(flags, dtype=bool), bitorder="little")


def _text_buffers(values, wide):
    encoded = [b"" if v is None else v.encode() for v in values]
    offsets = np.cumsum([0] + [len(e) for e in encoded]).astype(np.int64 if wide else np.int32)
    return [offsets, np.frombuffer(b"".join(encoded) or b"\0", dtype=np.uint8)]


def _view_buffers(values):
    views, more = [], b""
    for value in values:
        text = b"" if value is None else value.encode()
        head = len(text).to_bytes(4, "little")
        if len(text) <= 12:
            views.append(head + text.ljust(12, b"\0"))
        else:
            views.append(head + text[:4] + (0).to_bytes(4, "little") + len(more).to_bytes(4, "little"))
            more += text
    return [np.frombuffer(b"".join(views), dtype=np.uint8), np.frombuffer(more or b"\0", dtype=np.uint8),
            np.array([len(more)], dtype=np.int64)]


def _buffers(format, values):
    filled = [0 if v is None else v for v in values]
    if format in ("u", "U"):
        return _text_buffers(values, format == "U")
    if format == "vu":
        return _view_buffers(values)
    if format == "b":
        return [_bits(filled)]
    if format.startswith("d:"):
        return [np.frombuffer(b"".join(int(v).to_bytes(16, "little", signed=True) for v in filled), dtype=np.uint8)]
    return [np.array(filled, dtype=_NUMPY.get(format, "int64"))]


def _array(length, offset, buffers, children=(), dictionary=None):
    array = Array(length, 0, offset, len(buffers), len(children))
    pointers = (c_void_p * max(1, len(buffers)))(*[None if b is None else b.ctypes.data for b in buffers])
    array.buffers = pointers
    links = (POINTER(Array) * max(1, len(children)))(*[pointer(child) for child in children])
    array.children = links
    if dictionary is not None:
        array.dictionary = pointer(dictionary)
    _alive.append((array, buffers, pointers, links, children, dictionary))
    return array


def _leaf(format, values, offset, dictionary):
    padded = [None] * offset + list(values)
    valid = _bits([v is not None for v in padded]) if any(v is None for v in values) else None
    held = None
    if dictionary is not None:
        held = _array(len(dictionary), 0, [None] + _text_buffers(dictionary, False))
    return _array(len(values), offset, [valid] + _buffers(format, padded), dictionary=held)


def _schema(format, name, children=(), dictionary=None):
    schema = Schema(format.encode(), name.encode(), None, 2, len(children))
    links = (POINTER(Schema) * max(1, len(children)))(*[pointer(child) for child in children])
    schema.children = links
    if dictionary is not None:
        schema.dictionary = pointer(dictionary)
    _alive.append((schema, links, children, dictionary))
    return schema


class ArrowTable:
    """columns: name -> (format, values) or (format, codes, dictionary); exported in batches, with offsets."""

    def __init__(self, columns, batch=3, offset=1, fail=None):
        self.columns, self.batch, self.offset, self.fail = columns, batch, offset, fail
        self.released = []

    def __arrow_c_stream__(self, requested_schema=None):
        leaves = []
        for name, (format, _, *dictionary) in self.columns.items():
            leaves.append(_schema(format, name, dictionary=_schema("u", "") if dictionary else None))
        top = _schema("+s", "", leaves)
        rows = len(next(iter(self.columns.values()))[1])
        state = {"next": 0}

        @ReleaseSchema
        def release_schema(own):
            self.released.append("schema")
            own.contents.release = ReleaseSchema()

        @ReleaseArray
        def release_array(own):
            self.released.append("batch")
            own.contents.release = ReleaseArray()

        @GetSchema
        def get_schema(stream, out):
            top.release = release_schema
            ctypes.memmove(out, pointer(top), ctypes.sizeof(Schema))
            return 0

        @GetNext
        def get_next(stream, out):
            first = state["next"]
            if self.fail is not None and first >= self.fail:
                return 5
            ctypes.memset(out, 0, ctypes.sizeof(Array))
            if first >= rows:
                return 0
            last = min(rows, first + self.batch)
            children = [_leaf(column[0], column[1][first:last], self.offset, column[2] if len(column) > 2 else None)
                        for column in self.columns.values()]
            batch = _array(last - first, 0, [None], children)
            batch.release = release_array
            ctypes.memmove(out, pointer(batch), ctypes.sizeof(Array))
            state["next"] = last
            return 0

        @LastError
        def last_error(stream):
            return b"the query was cancelled"

        @ReleaseStream
        def release_stream(own):
            self.released.append("stream")
            own.contents.release = ReleaseStream()

        stream = Stream(get_schema, get_next, last_error, release_stream)
        _alive.append((stream, top, release_schema, release_array, get_schema, get_next, last_error, release_stream))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
        return make(cast(pointer(stream), c_void_p), b"arrow_array_stream", None)
