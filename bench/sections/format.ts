import { readFileSync } from 'node:fs';
import { CHUNK_BYTES, messageHeader, readFlvClip } from '../flv-clip.ts';
import type { BenchContext } from '../context.ts';
import { median, type Row } from '../row.ts';
import { FlvTagReader } from '../../src-main/media/containers/flv/flv-tag-reader.ts';
import { MpegTsReader } from '../../src-main/media/containers/mpegts/reader.ts';
import { ChunkStreamReader } from '../../src-main/media/containers/rtmp/chunk-stream-reader.ts';
import { writeSetChunkSize } from '../../src-main/media/containers/rtmp/protocol-control.ts';
import { ChunkStreamWriter } from '../../src-main/media/containers/rtmp/chunk-stream-writer.ts';
import type { MediaSink } from '../../src-main/media/access-unit.ts';
import { muxTsSegment } from '../../src-main/packaging/mpegts/segment.ts';
import { LiveWindow } from '../../src-main/segment/live-window.ts';
import { Segmenter } from '../../src-main/segment/segmenter.ts';
import { SEGMENTER_DEFAULTS } from '../../src-main/segment/segmenter-options.ts';
import { HeapPool } from '../../src-main/segment/heap-pool.ts';
import type { WindowEvent } from '../../src-main/segment/window-event.ts';
import { StreamHub } from '../../src-main/stream/stream-hub.ts';

/** Bytes of one read of a socket. */
const READ_BYTES = 64 * 1024;
/** Number of bytes per measurement, many times the size of the clip. */
const TOTAL_BYTES = 1500e6;
const QUICK_TOTAL_BYTES = 300e6;
const ROUNDS = 5;

/** Bytes of each format that one core reads or writes per second, without sockets and threads. */
export async function format(context: BenchContext): Promise<Row[]> {
  context.say('format: in this process');
  const ts = readFileSync(context.media.ts);
  const rtmp = rtmpBytes(context.media.flv);
  const total = (context.isQuick ? QUICK_TOTAL_BYTES : TOTAL_BYTES) / ROUNDS;
  const base = { section: 'format', unit: 'MB/s', better: 'higher' } as const;
  return [
    { ...base, name: 'TS to CMAF parts', ours: speed(ts, total, () => tsReader(packager())), target: 500 },
    { ...base, name: 'RTMP to CMAF parts', ours: speed(rtmp, total, () => rtmpReader(packager())), target: 500 },
    { ...base, name: 'CMAF to TS segments', ours: await muxSpeed(ts, total) },
  ];
}

type Reader = (bytes: Uint8Array) => void;

/** Megabytes per second of processor time; the median of rounds that each read the whole input several times. */
function speed(input: Uint8Array, total: number, make: () => Reader): number {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < input.length; at += READ_BYTES) pieces.push(input.subarray(at, at + READ_BYTES));
  const loops = Math.max(1, Math.round(total / input.length));
  const round = (): number => {
    const before = process.threadCpuUsage();
    for (let loop = 0; loop < loops; loop++) {
      const read = make();
      for (const piece of pieces) read(piece);
    }
    return (input.length * loops) / micros(before);
  };
  round();
  return median(Array.from({ length: ROUNDS }, round));
}

function micros(before: NodeJS.CpuUsage): number {
  const used = process.threadCpuUsage(before);
  return used.user + used.system;
}

function tsReader(sink: MediaSink): Reader {
  const reader = new MpegTsReader(sink);
  return (bytes) => {
    reader.push(bytes);
  };
}

function rtmpReader(sink: MediaSink): Reader {
  const tags = new FlvTagReader(sink);
  const reader = new ChunkStreamReader({
    message: (type, _streamId, timestampMs, payload) => {
      tags.push(type, timestampMs, payload);
    },
    problem: fail,
  });
  return (bytes) => {
    reader.push(bytes);
  };
}

/** Hub and segmenter of a media thread, with a window that applies their events. */
function packager(window = new LiveWindow(SEGMENTER_DEFAULTS)): StreamHub {
  let events: WindowEvent[] = [];
  const segmenter = new Segmenter(
    SEGMENTER_DEFAULTS,
    (event) => {
      events.push(event);
      if (event.type !== 'part') return;
      window.apply(events);
      events = [];
    },
    fail,
    { nextMsn: 1, nextInitId: 1, isContinuation: false },
    pool,
  );
  const hub = new StreamHub({ now: () => 1_800_000_000_000, after: () => () => {} }, fail);
  hub.addReader(segmenter);
  // Releases the memory of the previous loop, as in a server whose streams open and close.
  stage?.segmenter.close();
  stage?.window.clear();
  stage = { segmenter, window };
  return hub;
}

const pool = new HeapPool();
let stage: { readonly segmenter: Segmenter; readonly window: LiveWindow } | undefined;

async function muxSpeed(ts: Uint8Array, total: number): Promise<number> {
  const window = new LiveWindow(SEGMENTER_DEFAULTS);
  tsReader(packager(window))(ts);
  const complete = window.segments('v1').filter(({ segment }) => segment.isComplete);
  const round = async (): Promise<number> => {
    let bytes = 0;
    const before = process.threadCpuUsage();
    while (bytes < total) for (const { msn } of complete) bytes += (await muxTsSegment(window, msn)).length;
    return bytes / micros(before);
  };
  await round();
  const rates: number[] = [];
  while (rates.length < ROUNDS) rates.push(await round());
  return median(rates);
}

/** The clip as sent by an encoder after the handshake. */
function rtmpBytes(flv: string): Uint8Array {
  const clip = readFlvClip(flv);
  const messages = [...clip.head, ...clip.loop].flatMap((message) => [
    messageHeader(message, message.timestampMs),
    message.chunked,
  ]);
  return Buffer.concat([new ChunkStreamWriter().write(2, writeSetChunkSize(CHUNK_BYTES)), ...messages]);
}

function fail({ code, detail }: { code: string; detail: string }): void {
  throw new Error(`${code}: ${detail}`);
}
