"""Prints the splice information sections that GStreamer finds in a transport stream, one line of JSON each.

usage: scte35-of.py FILE.ts
"""

import ctypes
import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstMpegts", "1.0")
from gi.repository import Gst, GstMpegts  # noqa: E402

Gst.init(None)
GstMpegts.initialize()


class Event(ctypes.Structure):
    """The start of GstMpegtsSCTESpliceEvent, of which the binding for Python gives the address alone."""

    _fields_ = [
        ("insert_event", ctypes.c_int),
        ("id", ctypes.c_uint32),
        ("isCancel", ctypes.c_int),
        ("isOut", ctypes.c_int),
        ("isProgram", ctypes.c_int),
        ("hasDuration", ctypes.c_int),
        ("isImmediate", ctypes.c_int),
        ("hasTime", ctypes.c_int),
        ("ticks", ctypes.c_uint64),
        ("utc", ctypes.c_uint32),
        ("components", ctypes.c_void_p),
        ("isAutoReturn", ctypes.c_int),
        ("duration", ctypes.c_uint64),
    ]


def event_at(address):
    event = Event.from_address(address)
    return {
        "id": event.id,
        "isCancel": bool(event.isCancel),
        "isOut": bool(event.isOut),
        "isImmediate": bool(event.isImmediate),
        "ticks": event.ticks if event.hasTime else None,
        "isAutoReturn": bool(event.isAutoReturn),
        "duration": event.duration if event.hasDuration else None,
    }


def shown(sit):
    """What a section says; times in 90 kHz ticks as they stand in it."""
    return {
        "command": sit.splice_command_type.value_nick,
        "adjustment": sit.pts_adjustment,
        "ticks": sit.splice_time if sit.splice_time_specified else None,
        "events": [event_at(address) for address in sit.splices],
    }


pipeline = Gst.parse_launch("filesrc name=file ! tsdemux name=demux")
pipeline.get_by_name("file").set_property("location", sys.argv[1])


def drop(_demux, pad):
    """The media itself is of no interest."""
    sink = Gst.ElementFactory.make("fakesink")
    sink.set_property("sync", False)
    pipeline.add(sink)
    sink.sync_state_with_parent()
    pad.link(sink.get_static_pad("sink"))


pipeline.get_by_name("demux").connect("pad-added", drop)
pipeline.set_state(Gst.State.PLAYING)
bus = pipeline.get_bus()
while True:
    message = bus.timed_pop(20 * Gst.SECOND)
    if message is None or message.type == Gst.MessageType.ERROR:
        sys.exit("the pipeline failed: " + (message.parse_error().gerror.message if message else "no end"))
    if message.type == Gst.MessageType.EOS:
        break
    if message.type != Gst.MessageType.ELEMENT:
        continue
    section = GstMpegts.message_parse_mpegts_section(message)
    if section and section.section_type == GstMpegts.SectionType.SCTE_SIT:
        print(json.dumps(shown(section.get_scte_sit())), flush=True)
pipeline.set_state(Gst.State.NULL)
