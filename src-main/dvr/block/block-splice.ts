import { crc32 } from 'node:zlib';
import { BoxWriter } from '../../media/containers/isobmff/box-writer.ts';
import { bodyOf, readBoxes } from '../../media/containers/isobmff/box.ts';
import { readEventMessage, writeEventMessage } from '../../media/containers/isobmff/event-message.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { readSplicePoint } from '../../media/scte35/splice-point.ts';
import type { WindowSplice } from '../../segment/segment-window.ts';

/** Scheme of a complete binary section (SCTE 214-1, 6.8.3). */
const SCHEME = 'urn:scte:scte35:2013:bin';
/** Ticks are milliseconds. */
const TIMESCALE = 1000;

/** Writes a splice point for a block: an `emsg` with the complete section, and its time on the timeline of the stream. */
export function writeSpliceBox({ atMs, durationMs, section }: WindowSplice): Buffer {
  const out = new BoxWriter();
  const data = Buffer.from(section, 'base64');
  writeEventMessage(out, {
    schemeIdUri: SCHEME,
    value: '',
    timescale: TIMESCALE,
    presentationTicks: Math.round(atMs),
    ...(durationMs === null ? {} : { durationTicks: durationMs }),
    id: crc32(data),
    data,
  });
  return Buffer.from(out.finish());
}

/** Reads a complete box; undefined unless it is a splice point. */
export function readSpliceBox(bytes: Uint8Array): WindowSplice | undefined {
  const [box] = readBoxes(bytes);
  const message = box?.type === 'emsg' ? readEventMessage(bodyOf(bytes, box)) : undefined;
  if (message?.schemeIdUri !== SCHEME || message.timescale !== TIMESCALE) return undefined;
  return spliceOf(message.presentationTicks, message.data);
}

/** Splice point described by a section. @param atMs its time on the timeline of the stream, in epoch milliseconds */
export function spliceOf(atMs: number, section: Uint8Array): WindowSplice {
  const info = readSpliceInfo(section);
  const point = info ? readSplicePoint(info) : ({ kind: 'other', eventId: null, durationMs: null } as const);
  return { ...point, atMs, section: Buffer.from(section).toString('base64') };
}
