"""Plays an address with GStreamer's playbin and seeks to times. Prints the time and the height of each shown picture as one line of JSON.

usage: gst-seeks.py ADDRESS SECONDS...
"""

import json
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

Gst.init(None)
LIMIT = 40 * Gst.SECOND


def settle(bus):
    """Waits for the picture. GStreamer sends ASYNC_DONE when it is shown."""
    message = bus.timed_pop_filtered(LIMIT, Gst.MessageType.ASYNC_DONE | Gst.MessageType.ERROR)
    if message is None:
        sys.exit("no picture came in time")
    if message.type == Gst.MessageType.ERROR:
        sys.exit(str(message.parse_error()))


def shown(sink):
    sample = sink.get_property("last-sample")
    if sample is None:
        sys.exit("there is no picture")
    shape = sample.get_caps().get_structure(0)
    seconds = sample.get_segment().to_stream_time(Gst.Format.TIME, sample.get_buffer().pts) / Gst.SECOND
    return {"seconds": seconds, "lines": shape.get_value("height")}


def pictures_at(times, player, sink):
    bus = player.get_bus()
    player.set_state(Gst.State.PAUSED)
    settle(bus)
    pictures = []
    for seconds in times:
        flags = Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE
        if not player.seek_simple(Gst.Format.TIME, flags, int(seconds * Gst.SECOND)):
            sys.exit(f"cannot seek to {seconds}")
        settle(bus)
        pictures.append(shown(sink))
    return pictures


def main(address, times):
    player = Gst.ElementFactory.make("playbin")
    sink = Gst.ElementFactory.make("fakesink")
    sink.set_property("sync", True)
    player.set_property("uri", address)
    player.set_property("video-sink", sink)
    player.set_property("audio-sink", Gst.ElementFactory.make("fakesink"))
    try:
        print(json.dumps(pictures_at(times, player, sink)))
    finally:
        player.set_state(Gst.State.NULL)


main(sys.argv[1], [float(text) for text in sys.argv[2:]])
