import { describe, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { madeAudio } from '../../tests/helpers/made-input.ts';
import { readStrictPlaylist } from '../../tests/helpers/strict-playlist.ts';
import type { StreamMeasurements } from '../engine/messages.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import { toShared } from '../segment/shared-bytes.ts';
import { StreamEntry } from './stream-entry.ts';

const END = { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: true } };

it('StreamEntry counts sent bytes from each opening, like received bytes', () => {
  const settings = configOf('stream a { input fake://; }').streams.get('a');
  if (!settings) throw new Error('there is no stream a');
  const entry = new StreamEntry('a', settings, true);
  entry.opened(1, 1000);
  entry.output.bytesOut += 500;
  expect(entry.bytesOut).toBe(500);
  entry.ended(END, 1500);
  entry.opened(2, 2000);
  expect([entry.bytesOut, entry.output.bytesOut]).toEqual([0, 500]);
  entry.output.bytesOut += 20;
  expect(entry.bytesOut).toBe(20);
  entry.renewWindow();
  entry.output.bytesOut += 7;
  expect(entry.bytesOut).toBe(7);
});

it.each([
  ['0.5', '2'],
  ['2', '10'],
  ['10', '0.5'],
])(
  'StreamEntry continues media sequence numbers after a server restart with segments of %s and then %s seconds',
  (before, after) => {
    const nextMsn = (seconds: string, nowMs: number): number => {
      const settings = configOf(`stream a { input fake://; segment_duration ${seconds}; }`).streams.get('a');
      if (!settings) throw new Error('there is no stream a');
      return new StreamEntry('a', settings, true).spec(1, nowMs).resume.nextMsn;
    };
    const startMs = 1_800_000_000_000;
    const hourMs = 3_600_000;
    // An hour of segments of the minimum length.
    const used = nextMsn(before, startMs) + hourMs / (Number(before) * 1000);
    expect(nextMsn(after, startMs + hourMs)).toBeGreaterThanOrEqual(used);
    // Older players count with 31 bits. A machine without a clock starts in 1970.
    expect(nextMsn(after, Date.UTC(2044, 0, 1))).toBeLessThan(2 ** 31);
    expect(nextMsn(after, 0)).toBe(0);
  },
);

it('StreamEntry does not reuse media sequence numbers of an earlier window before the first segment of the next window', () => {
  const settings = configOf('stream a { input fake://; }').streams.get('a');
  if (!settings) throw new Error('there is no stream a');
  const entry = new StreamEntry('a', settings, true);
  const nowMs = 1_800_000_000_000;
  const trackId = 'a1';
  const seen: number[] = [];
  for (const runId of [1, 2, 3]) {
    entry.opened(runId, nowMs);
    const { nextMsn: msn, nextInitId: initId } = entry.spec(runId, nowMs).resume;
    const [startTicks, bytes] = [48 * nowMs, toShared(Uint8Array.of(1))];
    entry.run?.apply([
      { type: 'init', tracks: [{ track: madeAudio(), initId, init: bytes }] },
      { type: 'segment-start', trackId, msn, startTicks, initId, isDiscontinuity: false },
      {
        type: 'part',
        trackId,
        msn,
        index: 0,
        startTicks,
        durationTicks: 24_000,
        isIndependent: true,
        arrivedMs: nowMs,
        bytes,
      },
    ]);
    const { segments } = readStrictPlaylist(renderMediaPlaylist(entry.window, { trackId }) ?? '');
    seen.push(...segments.map(({ msn }) => msn));
    entry.ending('no_viewers');
    entry.ended(entry.run?.resumePoint ?? END, nowMs);
    entry.renewWindow();
  }
  expect(seen).toHaveLength(12);
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
});

describe('StreamEntry.isStarting', () => {
  const startMs = 1_800_000_000_000;

  function entryOf(text: string): StreamEntry {
    const settings = configOf(text).streams.get('a');
    if (!settings) throw new Error('there is no stream a');
    return new StreamEntry('a', settings, true);
  }

  const measured = (phase: StreamMeasurements['phase']): StreamMeasurements => ({
    id: 1,
    inputs: [],
    activeInput: null,
    selectedInput: null,
    isBackupOnAir: false,
    inputSwitches: 0,
    phase,
    lastUnitMs: 0,
    startedMs: 0,
    bytesIn: 0,
    retryCount: 0,
    tracks: [],
    leftOut: [],
    problems: [],
    errorsPerSecond: 0,
    continuityErrorsPerSecond: 0,
    clockErrorsPerSecond: 0,
    measuredMs: 0,
    lastErrorsMs: { all: 0, continuity: 0, clock: 0 },
  });

  it('is true for ten seconds after the encoder has connected, unless the encoder leaves', () => {
    const entry = entryOf('stream a { input publish://; }');
    expect(entry.isStarting(startMs)).toBe(false);
    entry.opened(1, startMs);
    // The stream waits for an encoder.
    expect(entry.isStarting(startMs + 1)).toBe(false);
    entry.publisherCame('127.0.0.1', startMs + 5000);
    expect([5000, 14_999, 15_000].map((ms) => entry.isStarting(startMs + ms))).toEqual([true, true, false]);
    entry.publisherLeft(startMs + 6000);
    expect(entry.isStarting(startMs + 6000)).toBe(false);
  });

  it('is true for ten seconds while an input is opened, unless the opening fails', () => {
    const entry = entryOf('stream a { input tshttp://127.0.0.1:9/none; }');
    entry.opened(1, startMs);
    expect([0, 9999, 10_000].map((ms) => entry.isStarting(startMs + ms))).toEqual([true, true, false]);
    entry.measured(measured('opening'));
    expect(entry.isStarting(startMs + 1000)).toBe(true);
    entry.measured(measured('error'));
    expect(entry.isStarting(startMs + 2000)).toBe(false);
    entry.ended(END, startMs + 3000);
    expect(entry.isStarting(startMs + 3000)).toBe(false);
  });
});
