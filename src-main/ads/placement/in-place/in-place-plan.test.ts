import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipOf, LiveStream, testTracks } from '../../../../tests/helpers/ad-windows.ts';
import { StreamRun } from '../../../../tests/helpers/stream-run.ts';
import { USUAL_RULES, type AdDecision } from '../../decision/ad-decision.ts';
import type { Clip } from '../../clips/clip.ts';
import { InPlacePlan } from './in-place-plan.ts';
import { InPlaceWindow } from './in-place-window.ts';

const NONE: AdDecision = {
  form: 'in_place',
  prerolls: [],
  midrolls: [],
  insertBy: 'interval',
  intervalMs: undefined,
  rules: USUAL_RULES,
};
const SEGMENT_MS = 2000;

/**
 * A viewer who loads the playlist after each segment, and the content of each segment: `.` for the stream, otherwise
 * the letters of clips.
 */
class Viewer {
  readonly plan: InPlacePlan;
  /** Clips that exist. */
  readonly clipsByPath: Map<string, Clip>;
  readonly #stream: LiveStream;
  readonly #shownBySegment = new Map<number, string>();

  constructor(stream: LiveStream, decision: Partial<AdDecision>, ...clips: readonly Clip[]) {
    const clipsByPath = new Map(clips.map((clip) => [clip.path, clip]));
    this.clipsByPath = clipsByPath;
    this.#stream = stream;
    this.plan = new InPlacePlan(
      { ...NONE, ...decision },
      (path) => clipsByPath.get(path) ?? { path, reason: 'clip_not_found', detail: '' },
    );
    this.poll();
  }

  poll(): void {
    this.plan.advance(this.#stream.window);
    for (const { msn, startMs } of this.#stream.window.segments('v1')) {
      if (msn < this.plan.firstMsn) continue;
      const state = this.plan.stateOf(msn);
      const shown =
        state && state !== 'resumed'
          ? [0, 1].map((second) => state.loop.step(state.step + second).clip.path).join('')
          : '..';
      // Segments shown once must not change.
      expect([msn, shown]).toEqual([msn, this.#shownBySegment.get(startMs / SEGMENT_MS) ?? shown]);
      this.#shownBySegment.set(startMs / SEGMENT_MS, shown);
    }
  }

  watch(segments: number): void {
    for (let count = 0; count < segments; count++) {
      this.#stream.grow();
      this.poll();
    }
  }

  /** One letter for each second, from the viewer's first segment on. */
  get content(): string {
    return [...this.#shownBySegment.values()].join('');
  }
}

function startedStream(): LiveStream {
  const stream = new LiveStream({ segmentMs: SEGMENT_MS, listed: 10 });
  stream.growTo(10);
  return stream;
}

const splicing = { midrolls: ['a', 'b'], insertBy: 'splicing' } as const;

describe('in-place clips', () => {
  it('start with a segment that is complete in every track, because Shaka fails on a playlist with only an open segment', () => {
    const run = new StreamRun({ partMs: 500, segmentMs: 1000, segmentCount: 6 });
    const firsts: unknown[] = [];
    run.onBatch = () => {
      const tracks = run.window.tracks.map(({ track }) => track);
      if (tracks.length < 2 || !tracks.every(({ id }) => run.window.segments(id)[0]?.segment.isComplete)) return;
      const clip = clipOf('a', 1, tracks);
      const plan = new InPlacePlan({ ...NONE, prerolls: ['a'] }, () => clip);
      const window = new InPlaceWindow(run.window, plan);
      for (const { track } of window.tracks) {
        const [first] = window.segments(track.id);
        expect(first && plan.stateOf(first.msn)).toBeDefined();
        firsts.push(first?.segment.isComplete);
      }
    };
    run.play({
      video: { fps: 25, gopFrames: 25, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 200 },
      seconds: 5,
    });
    expect([firsts.length > 20, firsts.every((isComplete) => isComplete === true)]).toEqual([true, true]);
  });

  it("start with the viewer's first segment, and the stream follows from the next segment boundary", () => {
    const viewer = new Viewer(startedStream(), { prerolls: ['a', 'b'] }, clipOf('a', 3), clipOf('b', 4));
    viewer.watch(5);
    // Seven seconds of clips in four segments: the last second is the start of the first clip.
    expect(viewer.content).toBe('aaabbbba........');
    expect(viewer.plan.stateOf(viewer.plan.firstMsn + 4)).toBe('resumed');
    expect(viewer.plan.showings.map(({ clip, count }) => [clip.path, count])).toEqual([
      ['a', 3],
      ['b', 4],
      ['a', 1],
    ]);
  });

  it('start one interval after the end of the previous break', () => {
    const decision = { midrolls: ['a'], intervalMs: 10_000 };
    const viewer = new Viewer(startedStream(), decision, clipOf('a', 4));
    viewer.watch(18);
    expect(viewer.content.replace(/^\.+/, '')).toMatch(/^aaaa\.{10}aaaa\.{10}/);
  });

  it('are skipped with a reason if the NAL unit length size differs', () => {
    const long = new Uint8Array([1, 66, 192, 30, 253, 225, 0, 1, 7, 1, 0, 1, 8]);
    const viewer = new Viewer(
      startedStream(),
      { prerolls: ['a'] },
      clipOf('a', 4, testTracks({ decoderConfig: long })),
    );
    expect(viewer.plan.skips).toMatchObject([
      { reason: 'clip_differs', differences: [{ field: 'v1.nal_length_size', clip: 2 }] },
      { reason: 'break_without_clips' },
    ]);
  });
});

it('in-place clips share their segments between viewers with the same clips, and other segments are those of the stream', () => {
  const stream = startedStream();
  const clip = clipOf('a', 4);
  const decision: AdDecision = { ...NONE, prerolls: ['a'] };
  const [one, two] = [0, 1].map(() => {
    const window = new InPlaceWindow(stream.window, new InPlacePlan(decision, () => clip));
    expect(window.segments('v1')).toHaveLength(3);
    return window;
  });
  stream.grow();
  const listed = one?.segments('v1') ?? [];
  expect(listed).toHaveLength(4);
  for (const [index, entry] of two?.segments('v1').entries() ?? []) expect(listed[index]).toBe(entry);
  const streamSegments = stream.window.segments('v1').slice(-4);
  expect(listed.map(({ address, msn, startMs }) => [address, msn, startMs])).toEqual(
    streamSegments.map(({ address, msn, startMs }) => [address, msn, startMs]),
  );
  expect(listed.map(({ segment }, index) => segment === streamSegments[index]?.segment)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

describe('in-place breaks by splice points', () => {
  const seconds = (from: number, to: number): string => '.'.repeat(from) + 'aaabb'.repeat(20).slice(0, to - from);

  it.each<[string, (stream: LiveStream) => void, string]>([
    ['a mark for the end', (stream) => (stream.splice('out', 24_000), stream.splice('in', 30_000)), seconds(24, 30)],
    ['an announced length', (stream) => stream.splice('out', 24_000, 8000), seconds(24, 32)],
    [
      'an end before the announced one',
      (stream) => (stream.splice('out', 24_000, 20_000), stream.splice('in', 28_000)),
      seconds(24, 28),
    ],
    [
      'a length that is shorter than the first clip',
      (stream) => (stream.splice('out', 24_000, 2000), stream.splice('in', 26_000)),
      seconds(24, 26),
    ],
    [
      'a mark inside another break, which does not restart the clips',
      (stream) => (stream.splice('out', 24_000), stream.splice('out', 26_000), stream.splice('in', 32_000)),
      seconds(24, 32),
    ],
  ])('last as marked by %s', (_, mark, expected) => {
    const stream = startedStream();
    const viewer = new Viewer(stream, splicing, clipOf('a', 3), clipOf('b', 2));
    mark(stream);
    viewer.watch(12);
    expect(viewer.content).toBe(expected + '.'.repeat(44 - expected.length));
  });

  it('end after ten minutes without a return mark', () => {
    const stream = startedStream();
    const viewer = new Viewer(stream, splicing, clipOf('a', 3), clipOf('b', 2));
    stream.splice('out', 24_000);
    viewer.watch(320);
    expect(viewer.content.indexOf('.', 24)).toBe(24 + 600);
  });

  it('end at the next segment after a cancellation', () => {
    const stream = startedStream();
    const viewer = new Viewer(stream, splicing, clipOf('a', 3), clipOf('b', 2));
    stream.splice('out', 20_000, 60_000);
    viewer.watch(3);
    stream.unsplice();
    viewer.watch(3);
    expect(viewer.content).toBe(`${seconds(20, 26)}......`);
  });

  it('end at the next segment after the file of the clip was deleted, with a reason', () => {
    const stream = startedStream();
    const viewer = new Viewer(stream, splicing, clipOf('a', 3), clipOf('b', 2));
    stream.splice('out', 20_000, 60_000);
    viewer.watch(3);
    viewer.clipsByPath.clear();
    viewer.watch(3);
    expect(viewer.content).toBe(`${seconds(20, 26)}......`);
    expect(viewer.plan.skips).toMatchObject([{ reason: 'clip_not_found', breakId: 'splice-20000' }]);
  });

  it('are joined by viewers who arrive during the break', () => {
    const stream = startedStream();
    stream.splice('out', 16_000, 12_000);
    const viewer = new Viewer(stream, splicing, clipOf('a', 3), clipOf('b', 2));
    viewer.watch(6);
    expect(viewer.content).toBe(`${seconds(16, 28)}....`);
  });
});

it('an in-place plan shows clips in all breaks and nowhere else, for any marks and any times of playlist loads', () => {
  const breaks = fc.array(
    fc.record({ gap: fc.integer({ min: 1, max: 8 }), length: fc.integer({ min: 1, max: 8 }), hasEnd: fc.boolean() }),
    { maxLength: 4 },
  );
  const steps = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 20 });
  fc.assert(
    fc.property(breaks, steps, fc.integer({ min: 1, max: 7 }), (marks, polls, clipSeconds) => {
      const stream = startedStream();
      const replaced = new Set<number>();
      let at = 11;
      for (const { gap, length, hasEnd } of marks) {
        at += gap;
        stream.splice('out', at * SEGMENT_MS, hasEnd ? null : length * SEGMENT_MS);
        for (let index = at; index < at + length; index++) replaced.add(index);
        at += length;
        if (hasEnd) stream.splice('in', at * SEGMENT_MS);
      }
      const viewer = new Viewer(stream, { ...splicing, midrolls: ['a'] }, clipOf('a', clipSeconds));
      for (const growth of polls) {
        for (let count = 0; count < growth; count++) stream.grow();
        viewer.poll();
      }
      const shown = viewer.content;
      const expected = Array.from({ length: shown.length / 2 }, (_, index) => (replaced.has(index) ? 'aa' : '..'));
      expect(shown).toBe(expected.join(''));
    }),
    { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 60) },
  );
});

it('in-place clips form separate periods if configured, on the clock of the stream, which stay while the window moves on', () => {
  const stream = startedStream();
  const clip = clipOf('a', 4);
  const plan = new InPlacePlan({ ...NONE, prerolls: ['a'], midrolls: ['a'], intervalMs: 6000 }, () => clip);
  const window = new InPlaceWindow(stream.window, plan, true);
  const startMsByMsn = new Map<number, number>();
  for (let count = 0; count < 30; count++) {
    stream.grow();
    for (const { firstMsn, startMs, mediaOffsetMs } of window.periods()) {
      expect([firstMsn, mediaOffsetMs]).toEqual([firstMsn, startMs]);
      expect([firstMsn, startMs]).toEqual([firstMsn, startMsByMsn.get(firstMsn) ?? startMs]);
      startMsByMsn.set(firstMsn, startMs);
    }
  }
  // Two segments of clips, then three segments of the stream.
  const firsts = [...startMsByMsn.keys()].filter((msn) => msn > 0);
  expect(firsts.slice(0, 6).map((msn) => msn - (firsts[0] ?? 0))).toEqual([0, 2, 5, 7, 10, 12]);
  expect(new InPlaceWindow(stream.window, plan).periods()).toEqual(stream.window.periods());
});
