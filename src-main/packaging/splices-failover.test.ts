import { afterEach, describe, expect, it } from 'vitest';
import { madeVideo } from '../../tests/helpers/made-input.ts';
import { spliceInsert, type GeneratedSplice } from '../../tests/helpers/splice-sections.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { readStrictMpd } from '../../tests/helpers/strict-mpd.ts';
import { readStrictPlaylist } from '../../tests/helpers/strict-playlist.ts';
import { Failover } from '../ingest/failover.ts';
import type { InputSink } from '../ingest/input.ts';
import { BackOff } from '../lib/back-off.ts';
import { renderMpd } from './dash/mpd.ts';
import { renderMediaPlaylist } from './hls/media-playlist.ts';

const FRAME_MS = 40;
const GOP_FRAMES = 25;
/** Time at which the first input fails, in milliseconds from the start. */
const FAILS_MS = 7000;

/** Message of an input, with its arrival time and splice time in milliseconds from the start. */
type Announcement = GeneratedSplice & { readonly announcedMs: number; readonly atMs: number };

const opened: Failover[] = [];
afterEach(async () => {
  for (const failover of opened.splice(0)) await failover.close();
});

/**
 * A stream of 20 s from two inputs with different clocks. The second input is on air after the failure of the first.
 */
function play(first: readonly Announcement[], second: readonly Announcement[]): StreamRun {
  const stream = new StreamRun({ segmentCount: 30 });
  const startMs = stream.clock.now();
  const sinks: (InputSink | undefined)[] = [];
  const spec = (index: number) => ({
    label: `input ${index + 1}`,
    priority: index + 1,
    framesTimeoutMs: 3000,
    sourceTimeoutMs: 20_000,
    make: (sink: InputSink) => ({
      start: () => {
        if (index === 0 && stream.clock.now() - startMs >= FAILS_MS) return;
        sinks[index] = sink;
        sink.tracks([madeVideo()]);
      },
      close: () => Promise.resolve(),
    }),
  });
  const { hub } = stream;
  const failover = new Failover({
    clock: stream.clock,
    inputs: [spec(0), spec(1)],
    retryLimit: null,
    output: hub,
    received: () => {},
    notice: () => {},
    makeBackOff: () => new BackOff({ random: () => 0 }),
  });
  opened.push(failover);
  failover.start();
  for (let ms = 0; ms < 20_000; ms += FRAME_MS) {
    stream.clock.advance(startMs + ms - stream.clock.now());
    if (ms === FAILS_MS) {
      const failing = sinks[0];
      sinks[0] = undefined;
      stream.feed(() => failing?.ended({ code: 'input_ended', detail: 'the other side ended it' }));
    }
    for (const [index, sink] of sinks.entries()) {
      const baseTicks = index === 0 ? 900_000 : 2 ** 33 - 9 * 90_000;
      const ticks = baseTicks + ms * 90;
      stream.feed(() => {
        for (const { announcedMs, atMs, ...splice } of index === 0 ? first : second)
          if (announcedMs === ms)
            sink?.splice({
              sourceId: 1,
              section: spliceInsert({ ...splice, ptsTicks: baseTicks + atMs * 90 }),
              atTicks: ticks,
            });
        const isRandomAccess = (ms / FRAME_MS) % GOP_FRAMES === 0;
        sink?.accessUnit({ trackId: 'v1', dtsTicks: ticks, ptsTicks: ticks, isRandomAccess, data: Buffer.alloc(300) });
      });
    }
  }
  return stream;
}

/** Delay of the shown pictures of the second input relative to its clock, in seconds. */
function shiftOf({ window }: StreamRun): number {
  const cut = window.segments('v1').find(({ isDiscontinuity }) => isDiscontinuity);
  return ((cut?.startMs ?? Number.NaN) - (window.bounds()?.fromMs ?? 0) - FAILS_MS) / 1000;
}

/** Cues with the start of their segments in seconds, and the events of the MPD with their durations. */
function marksOf({ window, clock }: StreamRun): { readonly hls: string[]; readonly dash: string[] } {
  const startMs = window.bounds()?.fromMs ?? 0;
  const lines = (renderMediaPlaylist(window, { trackId: 'v1', marks: 'aws' }) ?? '').split('\n');
  readStrictPlaylist(lines.join('\n'));
  const hls = lines.flatMap((line, index) => {
    if (!/^#EXT-X-CUE-(OUT|IN)(:|$)/.test(line)) return [];
    const date = /DATE-TIME:(.*)/.exec(lines.slice(index).find((one) => one.includes('DATE-TIME')) ?? '')?.[1] ?? '';
    return [`${line.slice('#EXT-X-CUE-'.length)} at ${(Date.parse(date) - startMs) / 1000}`];
  });
  const mpd = renderMpd(window, { nowMs: clock.now() }) ?? '';
  readStrictMpd(mpd);
  const events = mpd.matchAll(/<Event presentationTime="(\d+)"(?: duration="(\d+)")?/g);
  return { hls, dash: [...events].map(([, at, length = 'open']) => `${(Number(at) - startMs) / 1000} ${length}`) };
}

describe('a break during an input switch', () => {
  // Segments start with key frames. Those of the second input are later by this delay.
  const shift = shiftOf(play([], []));
  const late = (seconds: number): number => seconds + shift;

  it('continues to its announced end', () => {
    const out = { announcedMs: 2000, atMs: 4000, durationMs: 10_000 };
    const { hls, dash } = marksOf(play([out], []));
    expect(hls).toEqual(['OUT:10.000 at 4', `IN at ${late(14)}`]);
    expect(dash).toEqual(['4 10000']);
  });

  it('ends when the new input ends it, even with another event id', () => {
    const out = { announcedMs: 2000, atMs: 4000, durationMs: null };
    expect(marksOf(play([out], [])).hls).toEqual(['OUT at 4']);
    for (const eventId of [7, 8]) {
      const { hls, dash } = marksOf(play([out], [{ announcedMs: 9000, atMs: 11_000, eventId, isOut: false }]));
      expect(hls).toEqual(['OUT at 4', `IN at ${late(11)}`]);
      expect(dash).toEqual(['4 open', `${late(11)} open`]);
    }
    const early = { announcedMs: 8000, atMs: 9000, isOut: false };
    const hls = ['OUT:10.000 at 4', `IN at ${late(9)}`];
    expect(marksOf(play([{ ...out, durationMs: 10_000 }], [early])).hls).toEqual(hls);
  });

  it('is listed once if both inputs announce it, stays if only the first did, and is removed if the second cancels it', () => {
    const out = { announcedMs: 6000, atMs: 12_000, durationMs: 4000 };
    const hls = [`OUT:4.000 at ${late(12)}`, `IN at ${late(16)}`];
    expect(marksOf(play([out], [{ ...out, announcedMs: 8000 }]))).toEqual({ hls, dash: [`${late(12)} 4000`] });
    expect(marksOf(play([out], []))).toEqual({ hls, dash: ['12 4000'] });
    const back = { announcedMs: 9000, atMs: 9000, isCancel: true };
    expect(marksOf(play([out], [back]))).toEqual({ hls: [], dash: [] });
  });
});
