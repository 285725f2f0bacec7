import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import type { Track } from '../media/track.ts';
import { LiveWindow, releaseEvents } from './live-window.ts';
import { toShared } from './shared-bytes.ts';
import { firstUse } from './shared-use.ts';
import type { PartEvent, SharedBytes, WindowEvent } from './window-event.ts';

const SEGMENT_MS = 2000;
const initOf = (track: Track, initId: number): { track: Track; initId: number; init: SharedBytes } => ({
  track,
  initId,
  init: toShared(Uint8Array.of(initId)),
});
const init = (initId: number, ...tracks: readonly Track[]): WindowEvent => ({
  type: 'init',
  tracks: tracks.map((track) => initOf(track, initId)),
});
const trim = (firstMsn: number): WindowEvent => ({ type: 'trim', firstMsn });
const video: Track = madeVideo();
const audio: Track = madeAudio();

function counted(): SharedBytes {
  const bytes = { buffer: new SharedArrayBuffer(16), offset: 8, length: 8, useOffset: 0 };
  firstUse(bytes);
  return bytes;
}

function uses({ buffer, useOffset }: SharedBytes): number {
  return Atomics.load(new Int32Array(buffer, useOffset, 1), 0);
}

function part(msn: number, track: Track = video, bytes = counted()): PartEvent {
  const durationTicks = (SEGMENT_MS * track.timescale) / 1000;
  const startTicks = msn * durationTicks;
  return {
    type: 'part',
    trackId: track.id,
    msn,
    index: 0,
    startTicks,
    durationTicks,
    isIndependent: true,
    bytes,
    arrivedMs: 0,
  };
}

/** A segment of 2 s with one part. */
function segment(msn: number, { track = video, isCut = false, initId = 1, bytes = counted() } = {}): WindowEvent[] {
  const { startTicks, durationTicks } = part(msn, track);
  const trackId = track.id;
  return [
    { type: 'segment-start', trackId, msn, startTicks, initId, isDiscontinuity: isCut },
    part(msn, track, bytes),
    { type: 'segment-end', trackId, msn, durationTicks, isGap: false },
  ];
}

function windowOf(...events: readonly WindowEvent[]): LiveWindow {
  const window = new LiveWindow({ partMs: 500, segmentMs: SEGMENT_MS });
  window.apply(events);
  return window;
}

const sequences = (window: LiveWindow, trackId = 'v1'): string[] =>
  window
    .segments(trackId)
    .map(
      ({ msn, isDiscontinuity, discontinuitySequence }) =>
        `${msn}${isDiscontinuity ? '!' : ''} ${discontinuitySequence}`,
    );

describe('the discontinuities of a live window', () => {
  const cuts = [
    init(1, video, audio),
    ...[5, 6, 7, 8, 9].flatMap((msn) => segment(msn, { isCut: [5, 7, 9].includes(msn) })),
  ];

  it('are counted from the first segment, which does not count as a discontinuity itself', () => {
    expect(sequences(windowOf(...cuts))).toEqual(['5 0', '6 0', '7! 0', '8 1', '9! 1']);
  });

  it('still count for later segments after they were trimmed', () => {
    const window = windowOf(...cuts, trim(8));
    expect(sequences(window)).toEqual(['8 1', '9! 1']);
    window.apply([trim(10), ...segment(10), ...segment(11, { isCut: true }), ...segment(12)]);
    expect(sequences(window)).toEqual(['10 2', '11! 2', '12 3']);
  });

  it('get the same numbers in a track whose segments arrive later', () => {
    const late = [5, 6, 7, 8, 9].flatMap((msn) => segment(msn, { track: audio, isCut: [5, 7, 9].includes(msn) }));
    const window = windowOf(...cuts, ...late);
    expect(sequences(window, 'a1')).toEqual(sequences(window));
  });

  it('start periods, which keep their start time while they have a segment', () => {
    const window = windowOf(...cuts);
    const starts = (): number[] => window.periods().map(({ startMs }) => startMs);
    expect(starts()).toEqual([10_000, 14_000, 18_000]);
    window.apply([trim(8), ...segment(10), ...segment(11), trim(9)]);
    expect(starts()).toEqual([14_000, 18_000]);
    window.apply([...segment(12), ...segment(13), trim(10)]);
    expect(starts()).toEqual([18_000]);
    expect(window.periods({ fromMs: 0, toMs: 18_000 })).toEqual([]);
  });
});

describe('the memory of a live window', () => {
  it('is released two target durations after a trim, on clear, and at once for parts without an open segment', () => {
    const [trimmed, kept, late, strange, unused] = [counted(), counted(), counted(), counted(), counted()];
    const window = windowOf(init(1, video), ...segment(1, { bytes: trimmed }), ...segment(2, { bytes: kept }));
    window.apply([part(1, video, late), part(2, audio, strange)]);
    releaseEvents([trim(1), part(3, video, unused)]);
    expect([trimmed, kept, late, strange, unused].map(uses)).toEqual([1, 1, 0, 0, 0]);
    window.apply([trim(2), ...segment(3), trim(2)]);
    expect([trimmed, kept].map(uses)).toEqual([1, 1]);
    window.apply([...segment(4), trim(2)]);
    expect([trimmed, kept].map(uses)).toEqual([0, 1]);
    window.clear();
    expect([uses(kept), window.tracks, window.bounds()]).toEqual([0, [], undefined]);
  });

  it('is released only once, and an expired segment has no parts', () => {
    const bytes = counted();
    const window = windowOf(init(1, video), ...segment(1, { bytes }));
    const old = window.lastSegment('v1');
    window.apply([trim(2), ...segment(2), ...segment(3), trim(2)]);
    window.clear();
    expect([uses(bytes), old?.segment.parts]).toEqual([0, []]);
  });

  it('is kept for a new format with the same timescale, and released for another timescale', () => {
    const [picture, sound] = [counted(), counted()];
    const window = windowOf(
      init(1, video, audio),
      ...segment(1, { bytes: picture }),
      ...segment(1, { track: audio, bytes: sound }),
    );
    window.apply([init(2, madeVideo('v1', 1), madeAudio('a1', 44_100))]);
    expect([uses(picture), uses(sound), sequences(window), sequences(window, 'a1')]).toEqual([1, 0, ['1 0'], []]);
  });

  it('is kept for an ended track until its segments expire or the track returns', () => {
    const [first, last] = [counted(), counted()];
    const window = windowOf(init(1, video, audio), ...segment(1), ...segment(1, { track: audio, bytes: first }));
    const ids = (tracks = window.tracks): string[] => tracks.map(({ track }) => track.id);
    window.apply([init(1, video), ...segment(2)]);
    expect([ids(), ids(window.listedTracks), uses(first)]).toEqual([['v1'], ['v1', 'a1'], 1]);
    expect([window.segmentByAddress('a1', '2000')?.msn, window.init('a1', 1)?.initId]).toEqual([1, 1]);
    expect(window.periods().map(({ firstMsn }) => firstMsn)).toEqual([1, 2]);
    window.apply([trim(2)]);
    expect([ids(window.listedTracks), uses(first), window.init('a1', 1)?.initId]).toEqual([['v1'], 1, 1]);
    window.apply([...segment(3), ...segment(4), trim(3)]);
    expect([uses(first), window.init('a1', 1)]).toEqual([0, undefined]);

    const back = { type: 'init', tracks: [initOf(video, 1), initOf(audio, 2)] } as const;
    window.apply([back, ...segment(5), ...segment(5, { track: audio, initId: 2, bytes: last }), init(1, video)]);
    expect([sequences(window, 'a1'), window.firstMsnOf('a1')]).toEqual([['5 0'], 5]);
    window.apply([{ ...back, tracks: [initOf(video, 1), initOf(audio, 3)] }]);
    expect([sequences(window, 'a1'), uses(last), ids(window.listedTracks)]).toEqual([[], 0, ['v1', 'a1']]);
    expect([window.init('v1', 1)?.initId, window.nextInitId]).toEqual([1, 4]);
  });
});

describe('a live window', () => {
  it('keeps init segments that a segment needs, and the current ones', () => {
    const window = windowOf(
      init(1, video),
      ...segment(1),
      init(2, video),
      ...segment(2, { initId: 2 }),
      init(3, video),
    );
    const retainedInits = (): number[] => [1, 2, 3].filter((id) => window.init('v1', id) !== undefined);
    expect(retainedInits()).toEqual([1, 2, 3]);
    window.apply([trim(2), ...segment(3, { initId: 3 }), ...segment(4, { initId: 3 }), trim(2)]);
    expect(retainedInits()).toEqual([2, 3]);
    window.apply([trim(3), ...segment(5, { initId: 3 }), ...segment(6, { initId: 3 }), trim(3)]);
    expect(retainedInits()).toEqual([3]);
  });

  it('ends at its last segment, also after all segments were trimmed', () => {
    const window = windowOf(init(1, video), ...segment(1), ...segment(2));
    expect([window.endMs, window.bounds()]).toEqual([6000, { fromMs: 2000, toMs: 6000 }]);
    window.apply([trim(3)]);
    expect([window.endMs, window.bounds(), window.nextMsn]).toEqual([6000, undefined, 3]);
    window.clear();
    expect(window.endMs).toBe(6000);
  });

  it('is emptied by a rewind, and accepts segments of an earlier time', () => {
    const window = windowOf(init(1, video), ...segment(8), ...segment(9), { type: 'rewind', firstMsn: 10 });
    expect([window.endMs, window.segments('v1')]).toEqual([0, []]);
    window.apply(
      segment(10).map((event) => (event.type === 'segment-start' ? { ...event, startTicks: 90_000 } : event)),
    );
    expect(window.segmentByAddress('v1', '1000')?.msn).toBe(10);
  });

  it('rounds the end of its media up to a full millisecond', () => {
    const sound = madeAudio('a1', 44_100);
    const start = { type: 'segment-start', trackId: 'a1', msn: 1, startTicks: 44_100, initId: 1 } as const;
    const window = windowOf(init(1, sound), { ...start, isDiscontinuity: false });
    window.apply([{ ...part(1, sound), startTicks: 44_100, durationTicks: 1024 }]);
    expect(window.endMs).toBe(1024);
  });

  it('finds segments by number and by address', () => {
    const window = windowOf(init(1, video), ...segment(4), ...segment(5));
    expect([3, 4, 5, 6].map((msn) => window.segmentByMsn('v1', msn)?.msn)).toEqual([undefined, 4, 5, undefined]);
    expect(window.segmentByAddress('v1', '10000')?.msn).toBe(5);
    expect([window.segmentByAddress('a1', '10000'), window.segmentByMsn('a1', 4), window.segments('a1')]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it('returns the splices of a range, and drops splices long before its first segment', () => {
    const splice = (atMs: number): WindowEvent => {
      const point = { kind: 'out', eventId: atMs, durationMs: null } as const;
      return { type: 'splice', atMs, ...point, section: String(atMs) };
    };
    const window = windowOf(
      init(1, video),
      ...segment(50),
      ...segment(51),
      splice(39_999),
      splice(100_000),
      splice(103_000),
    );
    const at = (): number[] => window.splices().map(({ atMs }) => atMs);
    expect(window.splices({ fromMs: 100_000, toMs: 103_000 }).map(({ atMs }) => atMs)).toEqual([100_000]);
    expect(at()).toHaveLength(3);
    window.apply([trim(50)]);
    expect(at()).toEqual([100_000, 103_000]);
  });

  it('keeps at most the next 32 announced splice points', () => {
    const window = windowOf(init(1, video), ...segment(1));
    for (let n = 1000; n > 0; n--) {
      const point = { kind: 'out', eventId: n, durationMs: null } as const;
      window.apply([{ type: 'splice', atMs: window.endMs + n * 40_000, ...point, section: String(n) }]);
    }
    expect(window.splices().map(({ eventId }) => eventId)).toEqual(Array.from({ length: 32 }, (_, at) => at + 1));
  });

  it('keeps at most the last 256 past splice points', () => {
    const window = windowOf(init(1, video), ...segment(100));
    for (let n = 0; n < 1000; n++) {
      const point = { kind: 'out', eventId: n, durationMs: null } as const;
      window.apply([{ type: 'splice', atMs: 100_000 + n, ...point, section: String(n) }]);
    }
    expect(window.splices().map(({ eventId }) => eventId)).toEqual(Array.from({ length: 256 }, (_, at) => at + 744));
  });

  it('calls its listeners once per batch, until they unsubscribe', () => {
    const window = windowOf();
    let calls = 0;
    const end = window.onChange(() => calls++);
    window.apply([init(1, video), ...segment(1), ...segment(2)]);
    const { version } = window;
    end();
    window.apply([trim(2)]);
    expect([calls, window.version]).toEqual([1, version + 1]);
  });

  it('reports the longest part in the window, and the longest segment so far', () => {
    const window = windowOf(init(1, video), ...segment(1));
    window.apply([
      { type: 'segment-start', trackId: 'v1', msn: 2, startTicks: 360_000, initId: 1, isDiscontinuity: false },
      { ...part(2), startTicks: 360_000, durationTicks: 45_000 },
      trim(2),
    ]);
    expect([window.longestPartMs, window.longestSegmentMs]).toEqual([500, 2000]);
  });
});
