import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOptions } from '../../tests/helpers/any-stream.ts';
import {
  anyDelays,
  anyTrackSteps,
  ChangingEncoder,
  type Delays,
  type TrackStep,
} from '../../tests/helpers/changing-encoder.ts';
import { EventChecker, windowFaults } from '../../tests/helpers/check-window.ts';
import { DashClient } from '../../tests/helpers/dash-client.ts';
import { HlsClients } from '../../tests/helpers/hls-clients.ts';
import { MemoryModel } from '../../tests/helpers/memory-model.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { readStrictMpd } from '../../tests/helpers/strict-mpd.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../tests/helpers/strict-playlist.ts';
import { PACKET_BYTES, readPacketHeader } from '../media/containers/mpegts/packet.ts';
import { readPmt, type Pmt } from '../media/containers/mpegts/pmt.ts';
import { PMT_PID } from '../media/containers/mpegts/writer.ts';
import type { SegmenterOptions } from '../segment/segmenter-options.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import { renderMpd } from './dash/mpd.ts';
import { renderMultivariant } from './hls/multivariant-playlist.ts';
import { renderTsPlaylist } from './hls/ts-playlist.ts';
import { muxTsSegment } from './mpegts/segment.ts';
import { Programme } from './programme.ts';

/** Number of random streams. The seed is fixed unless AIRDESK_RUNS is set. A failure prints its seed and path. */
const SEARCHED = process.env['AIRDESK_RUNS'];
const RUNS = Number(SEARCHED ?? 40);
/** Maximum distance between starts of one segment number: an audio frame and half a picture. */
const DISTANCE_MS = 45;
/** A track that starts just after the start of a segment, or after an interruption, may be missing for this time. */
const LATE_MS = 750;
const GOP_MS = 2000;

/**
 * Segments of one number that start at different times, or follow different discontinuities.
 *
 * @param delayMs maximum delay of a track. Another track may lead in the meantime.
 * @param silenceMs total silence of the encoder. After lost key frames a track starts inside a segment, at its next key
 * frame.
 */
function unequalSegments(window: SegmentWindow, delayMs: number, silenceMs: number): string[] {
  const maxLateMs = LATE_MS + GOP_MS + silenceMs;
  // A silence may start with a segment, and also delays the media after it.
  const distanceMs = DISTANCE_MS + delayMs + (silenceMs > 0 ? silenceMs + LATE_MS : 0);
  const all = (window.listedTracks ?? window.tracks).flatMap(({ track }) =>
    window
      .segments(track.id)
      .map((entry) => ({ id: track.id, before: window.segmentByMsn(track.id, entry.msn - 1), entry })),
  );
  const starts = new Map<number, number>();
  const cuts = new Map(all.map(({ entry }) => [entry.msn, entry]));
  for (const { entry } of all)
    if (!entry.segment.isGap) starts.set(entry.msn, Math.min(entry.startMs, starts.get(entry.msn) ?? Infinity));
  return all.flatMap(({ id, before, entry: { msn, segment, startMs, isDiscontinuity, discontinuitySequence } }) => {
    const faults: string[] = [];
    const begins = isDiscontinuity || !before || before.segment.isGap;
    const lateMs = startMs - (starts.get(msn) ?? startMs);
    if (!segment.isGap && lateMs > (begins ? maxLateMs : distanceMs))
      faults.push(`${id} ${msn} begins ${lateMs} ms late`);
    const cut = cuts.get(msn);
    if (cut?.isDiscontinuity !== isDiscontinuity || cut.discontinuitySequence !== discontinuitySequence)
      faults.push(`${id} ${msn} is cut otherwise`);
    return faults;
  });
}

/** An HLS client that reloads the MPEG-TS playlist: listed segments stay, and tracks change only at a discontinuity. */
class TsClient {
  readonly faults: string[] = [];
  #before: ReadPlaylist | undefined;

  update(window: SegmentWindow): void {
    const text = renderTsPlaylist(window);
    if (text === undefined) return;
    const playlist = readStrictPlaylist(text);
    if (this.#before) checkReload(this.#before, playlist);
    this.#before = playlist;
    const programme = new Programme(window);
    let tracks: string | undefined;
    for (const { msn, uri = '', isDiscontinuity } of playlist.segments) {
      const own = programme.tracksAt(msn).map(({ track }) => track.id);
      if (tracks !== undefined && own.join() !== tracks && !isDiscontinuity)
        this.faults.push(`${msn} has ${own.join()} behind ${tracks}`);
      tracks = own.join();
      if (programme.byAddress(uri.replace(/^ts\/(.*)\.ts$/, '$1'))?.msn !== msn)
        this.faults.push(`${uri} leads nowhere`);
    }
  }
}

/** Program map table of a segment. */
function mapOf(packets: Uint8Array): Pmt {
  for (let at = 0; at < packets.length; at += PACKET_BYTES) {
    const header = readPacketHeader(packets, at);
    if (header?.pid !== PMT_PID) continue;
    const start = at + header.payloadStart + 1;
    const length = (((packets[start + 1] ?? 0) & 0x0f) << 8) + (packets[start + 2] ?? 0);
    const pmt = readPmt(packets.subarray(start, start + 3 + length));
    if (pmt) return pmt;
  }
  throw new Error('the segment has no map');
}

const initsOf = ({ window }: StreamRun): Map<string, number> =>
  new Map(window.inits.map(({ track, initId }) => [track.id, initId]));

/** Plays the steps and returns the faults of all outputs. */
function faultsOf(
  steps: readonly TrackStep[],
  delays: Delays,
  options: Partial<SegmenterOptions>,
  every = 7,
): string[] {
  const stream = new StreamRun({ ...options, maxSegmentMs: 20_000 });
  const encoder = new ChangingEncoder(stream, delays);
  const checker = new EventChecker();
  const memory = new MemoryModel();
  const clients = new HlsClients(stream);
  const ts = new TsClient();
  const faults: string[] = [];
  const silenceMs = steps.reduce((sum, step) => sum + (step.type === 'silence' ? step.ms : 0), 0);
  const dash = new DashClient();
  stream.onEvents = (events) => {
    checker.take(events);
    memory.take(events, stream.window);
  };
  let batches = 0;
  const check = (): void => {
    faults.push(
      ...windowFaults(stream.window, stream.options.segmentCount),
      ...unequalSegments(stream.window, Math.max(...Object.values(delays)), silenceMs),
    );
    clients.reload();
    dash.update(stream.window, stream.clock.now());
    ts.update(stream.window);
  };
  stream.onBatch = () => {
    if (batches++ % every === 0) check();
  };
  let before: ReadonlyMap<string, number> = new Map();
  // A change becomes visible with the next unit.
  const pending: TrackStep[] = [];
  for (const step of steps) {
    if (step.type === 'crash') clients.crashed();
    encoder.take(step);
    pending.push(step);
    if (step.type !== 'play') continue;
    const touched = new Set(pending.flatMap((one) => ('id' in one ? [one.id] : [])));
    if (!pending.some(({ type }) => type === 'restart' || type === 'crash'))
      for (const [id, initId] of initsOf(stream))
        if (!touched.has(id as 'v1') && before.has(id) && before.get(id) !== initId)
          faults.push(`${id} has another init, though nothing happened to it`);
    pending.length = 0;
    before = initsOf(stream);
    const named = [...(renderMultivariant(stream.window) ?? '').matchAll(/([va]\d)\/index\.m3u8/g)].map(([, id]) => id);
    const existing = new Set<string | undefined>(encoder.tracks.map(({ id }) => id));
    faults.push(...named.filter((id) => !existing.has(id)).map((id) => `${id} is named, though it is gone`));
  }
  stream.close();
  check();
  stream.window.clear();
  if (stream.pool.inUse > 0) faults.push(`${stream.pool.inUse} heaps are still in use`);
  return [...checker.faults, ...memory.faults, ...dash.faults, ...ts.faults, ...faults];
}

describe('tracks that start and end during a stream', () => {
  it('remove no segment from the MPEG-TS playlist', () => {
    const stream = new StreamRun();
    const encoder = new ChangingEncoder(stream, { v1: 0, v2: 0, a1: 0, a2: 0, a3: 0 });
    encoder.take({ type: 'play', ms: 7000 });
    const before = renderTsPlaylist(stream.window) ?? '';
    expect(before.match(/\.ts$/gm)).toHaveLength(3);
    encoder.take({ type: 'toggle', id: 'a2' });
    encoder.take({ type: 'play', ms: 40 });
    expect(stream.window.tracks.map(({ track }) => track.id)).toEqual(['v1', 'a1', 'a2']);
    expect(renderTsPlaylist(stream.window)).toBe(before);
    encoder.take({ type: 'play', ms: 4000 });
    encoder.take({ type: 'toggle', id: 'a2' });
    encoder.take({ type: 'play', ms: 40 });
    expect(renderTsPlaylist(stream.window)?.match(/\.ts$/gm)).toHaveLength(5);
    stream.close();
  });

  it('keep their PIDs in MPEG-TS, and a change of the tracks is a discontinuity', async () => {
    const stream = new StreamRun({ segmentCount: 30 });
    const encoder = new ChangingEncoder(stream, { v1: 0, v2: 0, a1: 0, a2: 0, a3: 0 });
    const play = (...ids: readonly ('v2' | 'a1' | 'a2' | 'a3')[]): void => {
      for (const id of ids) encoder.take({ type: 'toggle', id });
      encoder.take({ type: 'play', ms: 4000 });
    };
    play('a2', 'a3');
    const firstMsn = stream.window.segments('v1')[0]?.msn ?? 0;
    const before = await muxTsSegment(stream.window, firstMsn);
    play('a2');
    // Another rendition does not change the MPEG-TS output.
    play('v2');
    play('a1');
    stream.close();
    expect(await muxTsSegment(stream.window, firstMsn)).toEqual(before);
    const { segments } = readStrictPlaylist(renderTsPlaylist(stream.window) ?? '');
    const maps: string[] = [];
    const versions: number[] = [];
    for (const { msn, isDiscontinuity } of segments) {
      const pmt = mapOf(await muxTsSegment(stream.window, msn));
      const map = pmt.streams.map(({ pid }) => pid.toString(16)).join(' ');
      expect(isDiscontinuity).toBe(maps.length > 0 && maps.at(-1) !== map);
      if (maps.at(-1) === map) continue;
      maps.push(map);
      versions.push(pmt.version);
    }
    expect(maps).toEqual(['100 101 103 105', '100 101 105', '100 105']);
    expect(new Set(versions).size).toBe(3);
  });

  const DELAYS = { v1: 0, v2: 0, a1: 0, a2: 0, a3: 0 };
  const OPTIONS = { partMs: 200, segmentMs: 1000, segmentCount: 3 };

  it('share the Period with the tracks that start with them, even if they arrive late', () => {
    const steps: TrackStep[] = [
      { type: 'play', ms: 4204 },
      { type: 'toggle', id: 'a2' },
      { type: 'toggle', id: 'v1' },
      { type: 'play', ms: 2227 },
    ];
    // The late track has no part yet when another track completes the first segment.
    expect(faultsOf(steps, { ...DELAYS, v1: 312, a1: 32, a2: 641 }, OPTIONS)).toEqual([]);
  });

  it('start a Period of their own if they start after all others', () => {
    const stream = new StreamRun(OPTIONS);
    const encoder = new ChangingEncoder(stream, { ...DELAYS, a2: 2500 });
    encoder.take({ type: 'play', ms: 4000 });
    encoder.take({ type: 'toggle', id: 'a2' });
    encoder.take({ type: 'play', ms: 9000 });
    const { periods } = readStrictMpd(renderMpd(stream.window, { nowMs: stream.clock.now() }) ?? '');
    expect(periods.map(({ sets }) => sets.map(({ trackId }) => trackId).join(' '))).toEqual(['v1 a1', 'v1 a1 a2']);
    stream.close();
  });

  it('do not remove media of the tracks that replaced them in MPEG-TS when they return', () => {
    const steps: TrackStep[] = [
      { type: 'play', ms: 40 },
      { type: 'toggle', id: 'v1' },
      { type: 'play', ms: 963 },
      { type: 'toggle', id: 'v1' },
      { type: 'play', ms: 4998 },
      { type: 'idle' },
    ];
    expect(faultsOf(steps, DELAYS, OPTIONS)).toEqual([]);
  });

  it('remove earlier media in MPEG-TS when they restart', () => {
    const steps: TrackStep[] = [
      { type: 'play', ms: 40 },
      { type: 'change', id: 'a1' },
      { type: 'toggle', id: 'v1' },
      { type: 'play', ms: 1609 },
      { type: 'change', id: 'a1' },
      { type: 'play', ms: 40 },
    ];
    expect(faultsOf(steps, { ...DELAYS, a1: 18 }, { partMs: 500, segmentMs: 1000, segmentCount: 2 })).toEqual([]);
  });

  it(
    'do not affect other tracks in any state of the stream',
    () => {
      fc.assert(
        fc.property(anyTrackSteps, anyDelays, anyOptions, (steps, delays, options) => {
          expect(faultsOf(steps, delays, options).slice(0, 5)).toEqual([]);
        }),
        { numRuns: RUNS, ...(SEARCHED === undefined ? { seed: 20_261 } : {}) },
      );
    },
    20_000 + RUNS * 1000,
  );
});
