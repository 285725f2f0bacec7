import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListWindow } from '../../../../tests/helpers/list-window.ts';
import { clipOf, LiveStream, testTracks } from '../../../../tests/helpers/ad-windows.ts';
import { StreamRun } from '../../../../tests/helpers/stream-run.ts';
import { renderMediaPlaylist } from '../../../packaging/hls/media-playlist.ts';
import type { SegmentWindow, WindowSegment } from '../../../segment/segment-window.ts';
import { USUAL_RULES, type AdDecision } from '../../decision/ad-decision.ts';
import { AdPlan } from './ad-plan.ts';
import type { Clip, ClipSource } from '../../clips/clip.ts';
import { InPlacePlan } from '../in-place/in-place-plan.ts';
import { InPlaceWindow } from '../in-place/in-place-window.ts';
import { AdWindow } from './ad-window.ts';

const NONE: AdDecision = {
  form: 'separate',
  prerolls: [],
  midrolls: [],
  insertBy: 'interval',
  intervalMs: undefined,
  rules: USUAL_RULES,
};

function sourceOf(clipsByPath: ReadonlyMap<string, Clip>): ClipSource {
  return (path) => clipsByPath.get(path) ?? { path, reason: 'clip_not_found', detail: `There is no file ${path}` };
}

/** A viewer of a stream: the window, and all segments it ever listed. */
class Viewer {
  readonly plan: AdPlan;
  readonly window: AdWindow;
  readonly shownByMsn = new Map<number, WindowSegment>();
  /** Clips that exist. */
  readonly clipsByPath: Map<string, Clip>;
  readonly #stream: LiveStream;

  constructor(stream: LiveStream, decision: Partial<AdDecision>, ...clips: readonly Clip[]) {
    this.#stream = stream;
    this.clipsByPath = new Map(clips.map((clip) => [clip.path, clip]));
    this.plan = new AdPlan({ ...NONE, ...decision }, sourceOf(this.clipsByPath));
    this.window = new AdWindow({ stream: stream.window, plan: this.plan, longestClipSegmentMs: 1000 });
    this.poll();
  }

  /** Loads the playlist and checks that segments listed earlier are unchanged. */
  poll(): readonly WindowSegment[] {
    const listed = this.window.segments('v1').filter(({ segment }) => segment.isComplete);
    for (const entry of listed) {
      const before = this.shownByMsn.get(entry.msn);
      if (before) expect(shape(entry)).toEqual(shape(before));
      this.shownByMsn.set(entry.msn, entry);
    }
    for (const [index, entry] of listed.entries()) {
      const next = listed[index + 1];
      if (!next) break;
      expect(next.msn).toBe(entry.msn + 1);
      expect(Math.abs(next.startMs - entry.startMs - lengthMs(entry))).toBeLessThanOrEqual(1);
      expect(next.discontinuitySequence).toBe(entry.discontinuitySequence + (entry.isDiscontinuity ? 1 : 0));
    }
    return listed;
  }

  /** Loads the playlist after each of `count` segments of the stream. */
  watch(segments: number): void {
    for (let count = 0; count < segments; count++) {
      this.#stream.grow();
      this.poll();
    }
  }

  /** All listed seconds as letters: `.` for the stream, otherwise the first letter of the clip. */
  get content(): string {
    return [...this.shownByMsn.values()]
      .map((entry) => (/^[a-z]/.exec(entry.address)?.[0] ?? '.').repeat(Math.round(lengthMs(entry) / 1000)))
      .join('');
  }
}

function shape({ msn, startMs, isDiscontinuity, address }: WindowSegment): object {
  return { msn, startMs, isDiscontinuity, address };
}

function lengthMs({ segment }: WindowSegment): number {
  return segment.durationTicks / 90;
}

describe('a separate preroll', () => {
  it('starts at the usual distance from the live edge, and the stream follows', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(20);
    const viewer = new Viewer(stream, { prerolls: ['a'] }, clipOf('a', 10));
    expect(viewer.content).toBe('aaaaaa');
    viewer.watch(5);
    expect(viewer.content).toBe('aaaaaaaaaa......');
    expect(viewer.window.periods().map(({ addressPrefix }) => addressPrefix)).toEqual(['a-', '']);
  });

  it('replaces the stream up to the segment that contains its end', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(20);
    const viewer = new Viewer(stream, { prerolls: ['a', 'b'] }, clipOf('a', 3), clipOf('b', 4));
    viewer.watch(4);
    expect(viewer.content).toBe('aaabbbb........');
    const resumed = [...viewer.shownByMsn.values()].find(({ address }) => /^\d/.test(address));
    // The break of 7 s ends in the middle of a segment, so the viewer is delayed by one second from then on.
    expect((resumed?.startMs ?? 0) - (resumed?.segment.startMs ?? 0)).toBe(1000);
  });

  it('is skipped with a reason if its media differs or its file is missing', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(20);
    const viewer = new Viewer(stream, { prerolls: ['a', 'gone'] }, clipOf('a', 3, testTracks({ width: 640 })));
    viewer.watch(3);
    expect(viewer.content).toMatch(/^\.+$/);
    expect(viewer.plan.skips).toMatchObject([
      { path: 'a', reason: 'clip_differs', differences: [{ field: 'v1.width', clip: 640, stream: 320 }] },
      { path: 'gone', reason: 'clip_not_found' },
      { path: null, reason: 'break_without_clips' },
    ]);
  });
});

describe('separate breaks by interval', () => {
  it('start one interval after the previous break, with all clips in order', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(10);
    const decision: Partial<AdDecision> = { prerolls: ['p'], midrolls: ['a', 'b'], intervalMs: 10_000 };
    const viewer = new Viewer(stream, decision, clipOf('p', 2), clipOf('a', 4), clipOf('b', 2));
    viewer.watch(22);
    expect(viewer.content.slice(0, 44)).toBe('pp..........aaaabb..........aaaabb..........');
  });
});

describe('separate breaks by splice points', () => {
  it('last until their return mark, and repeat the clips', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(10);
    const viewer = new Viewer(stream, { midrolls: ['a', 'b'], insertBy: 'splicing' }, clipOf('a', 3), clipOf('b', 2));
    stream.splice('out', 24_000);
    stream.splice('in', 40_000);
    viewer.watch(14);
    expect(viewer.content.slice(24, 46)).toBe('aaabbaaabbaaabba......');
  });

  it('end after the announced duration without a return mark, and start at once for viewers who join later', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(10);
    stream.splice('out', 20_000, 20_000);
    stream.growTo(14);
    const viewer = new Viewer(stream, { midrolls: ['a'], insertBy: 'splicing' }, clipOf('a', 3));
    viewer.watch(9);
    const shown = viewer.content;
    expect(shown).toMatch(/^\.+a{20}\.+$/);
  });

  it('end when cancelled', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(10);
    const viewer = new Viewer(stream, { midrolls: ['a'], insertBy: 'splicing' }, clipOf('a', 9));
    stream.splice('out', 20_000, 60_000);
    viewer.watch(4);
    stream.unsplice();
    viewer.watch(4);
    expect(viewer.content.slice(20)).toMatch(/^a{6,8}\.+$/);
  });
});

describe('a separate clip whose file is deleted while it plays', () => {
  it.each<[string, Partial<AdDecision>]>([
    ['preroll', { prerolls: ['a', 'b'] }],
    ['break by interval', { midrolls: ['a', 'b'], intervalMs: 1000 }],
    ['break by splice points', { midrolls: ['a', 'b'], insertBy: 'splicing' }],
  ])('ends after its listed segments in a %s: the next item plays, and the reason is reported', (_, decision) => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(20);
    stream.splice('out', 40_000, 20_000);
    const viewer = new Viewer(stream, decision, clipOf('a', 12), clipOf('b', 3));
    viewer.watch(2);
    const before = viewer.content;
    expect(before).toMatch(/^\.*a{4,11}$/);
    viewer.clipsByPath.delete('a');
    viewer.watch(5);
    // One more second of clip `a` may follow, because listed segments stay listed. Then `b` plays.
    expect(viewer.content.slice(before.length)).toMatch(/^a?b{3}/);
    expect(viewer.plan.skips[0]).toMatchObject({ path: 'a', reason: 'clip_not_found' });
    viewer.clipsByPath.delete('b');
    viewer.watch(12);
    expect(viewer.content).toMatch(/\.{6,}$/);
  });
});

it('AdWindow keeps a clip segment listed when the next segment of the stream starts a fraction of a millisecond earlier', () => {
  const [track] = testTracks();
  if (!track) throw new Error('there is no track');
  /** Segments of the stream, by start and length in ticks. The last segment may be open. */
  const listsOf = (times: readonly (readonly [startTicks: number, durationTicks: number])[]) => ({
    mutability: 'live' as const,
    partMs: 500,
    tracks: [
      {
        track,
        segments: times.map(([startTicks, durationTicks], msn): WindowSegment => {
          const startMs = Math.floor(startTicks / 90);
          const part = {
            index: 0,
            startTicks,
            durationTicks,
            isIndependent: true,
            arrivedMs: 0,
            sizeBytes: 0,
            pieces: [],
          };
          const parts = durationTicks > 0 ? [part] : [];
          const segment = { trackId: 'v1', startTicks, durationTicks, startMs, parts, sizeBytes: 0, initId: 0 };
          return {
            segment: { ...segment, isComplete: msn + 1 < times.length, isGap: false },
            msn,
            startMs,
            isDiscontinuity: false,
            discontinuitySequence: 0,
            address: String(startMs),
          };
        }),
      },
    ],
  });
  const earlier = [
    [0, 90_135],
    [90_135, 89_820],
  ] as const;
  // The clip starts at 1001 ms. The open segment ends at 3000 ms: it starts at 1999.5 ms, rounded down, and lasts 1000.1 ms,
  // rounded up. The next one starts at 2999.6 ms, rounded down to 2999.
  const stream = new ListWindow(listsOf([...earlier, [179_955, 90_009]]));
  const source = sourceOf(new Map([['a', clipOf('a', 4)]]));
  const window = new AdWindow({
    stream,
    plan: new AdPlan({ ...NONE, prerolls: ['a'] }, source),
    longestClipSegmentMs: 1000,
  });
  const before = window.segments('v1').map(({ address }) => address);
  stream.grow(listsOf([...earlier, [179_955, 90_009], [269_964, 0]]));
  expect(before.length).toBeGreaterThan(0);
  expect(window.segments('v1').map(({ address }) => address)).toEqual(expect.arrayContaining(before));
  for (const address of before) expect(window.segmentByAddress('v1', address)).toBeDefined();
});

it.each([999, 1000, 1001])(
  'a separate break of 3 s replaces three segments of %d ms, because the clock of the stream is corrected',
  (segmentMs) => {
    const stream = new LiveStream({ segmentMs, listed: 20 });
    stream.growTo(2);
    const clip = clipOf('a', 3);
    const plan = new AdPlan({ ...NONE, midrolls: ['a'], intervalMs: 2000 }, sourceOf(new Map([['a', clip]])));
    for (let count = 3; count <= 8; count++) {
      plan.advance(stream.window);
      stream.growTo(count);
    }
    plan.advance(stream.window);
    const [before, shown, after] = plan.ranges;
    expect([before?.kind, shown?.kind, after?.kind]).toEqual(['programme', 'clip', 'programme']);
    if (before?.kind !== 'programme' || after?.kind !== 'programme') return;
    expect(after.sourceMsn - before.endMsn).toBe(3);
  },
);

describe('the start position of the playlist', () => {
  const START = '#EXT-X-START:TIME-OFFSET=0,PRECISE=YES';
  const clip = clipOf('a', 4);
  const source = sourceOf(new Map([['a', clip]]));
  const WINDOWS: readonly (readonly [string, (stream: LiveStream, prerolls: readonly string[]) => SegmentWindow])[] = [
    [
      'separate clips',
      ({ window: stream }, prerolls) =>
        new AdWindow({ stream, plan: new AdPlan({ ...NONE, prerolls }, source), longestClipSegmentMs: 1000 }),
    ],
    [
      'clips inside segments',
      ({ window: stream }, prerolls) =>
        new InPlaceWindow(stream, new InPlacePlan({ ...NONE, form: 'in_place', prerolls }, source)),
    ],
  ];

  it.each(WINDOWS)('is the start of the preroll while its first segment is listed, with %s', (_, windowOf) => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 4 });
    stream.growTo(4);
    const window = windowOf(stream, ['a']);
    const [first] = window.segments('v1');
    let isFirstListed = true;
    for (let count = 0; count < 6; count++) {
      const listed = renderMediaPlaylist(window, { trackId: 'v1' });
      isFirstListed = window.segments('v1')[0]?.msn === first?.msn;
      expect(listed?.includes(START)).toBe(isFirstListed);
      stream.grow();
    }
    expect(isFirstListed).toBe(false);
  });

  it.each(WINDOWS)('is absent without a preroll, with %s', (_, windowOf) => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 4 });
    stream.growTo(4);
    expect(renderMediaPlaylist(windowOf(stream, []), { trackId: 'v1' })).not.toContain('EXT-X-START');
  });
});

describe('AdWindow on a stream that has only its first part', () => {
  it('renders the same playlist as without advertisements, with the lead-in for players without parts', () => {
    const stream = new StreamRun();
    const play = stream.playing({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, seconds: 4 });
    play(700);
    const plan = new AdPlan({ ...NONE, midrolls: ['a'], intervalMs: 60_000 }, sourceOf(new Map()));
    const window = new AdWindow({ stream: stream.window, plan, longestClipSegmentMs: 1000 });
    const listed = renderMediaPlaylist(window, { trackId: 'v1' });
    expect(listed).toContain('#EXTINF');
    expect(listed).toBe(renderMediaPlaylist(stream.window, { trackId: 'v1' }));
  });

  it('has no lead-in before a preroll, because hls.js would start in the lead-in and never play', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    Object.assign(stream.window, { firstMsn: 0 });
    stream.growTo(1);
    expect(new Viewer(stream, { prerolls: ['a'] }, clipOf('a', 4)).window.firstMsn).toBeUndefined();
    expect(new Viewer(stream, {}).window.firstMsn).toBe(0);
  });
});

describe('any viewer of an AdWindow', () => {
  it('gets each moment of the stream at most once, in order, with a delay of less than one segment', () => {
    const lengths = fc.constantFrom(1000, 2000, 4000);
    const polls = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 5, maxLength: 25 });
    const marks = fc.array(
      fc.record({ at: fc.nat(60), seconds: fc.integer({ min: 1, max: 20 }), hasEnd: fc.boolean() }),
      {
        maxLength: 4,
      },
    );
    const decision = fc.record({
      prerolls: fc.subarray(['a', 'b']),
      midrolls: fc.subarray(['a', 'b', 'c']),
      insertBy: fc.constantFrom('interval' as const, 'splicing' as const),
      intervalMs: fc.integer({ min: 1, max: 30 }).map((seconds) => seconds * 1000),
    });
    const deletion = fc.record({ path: fc.constantFrom('a', 'b', 'c', 'none'), at: fc.nat(20) });
    fc.assert(
      fc.property(lengths, decision, polls, marks, deletion, (segmentMs, decided, steps, splices, deleted) => {
        const stream = new LiveStream({ segmentMs, listed: 12 });
        stream.growTo(8);
        for (const { at, seconds, hasEnd } of splices) {
          stream.splice('out', at * segmentMs, seconds * 1000);
          if (hasEnd) stream.splice('in', at * segmentMs + Math.ceil((seconds * 1000) / segmentMs) * segmentMs);
        }
        const viewer = new Viewer(stream, decided, clipOf('a', 3), clipOf('b', 5), clipOf('c', 1));
        for (const [index, step] of steps.entries()) {
          if (index === deleted.at) viewer.clipsByPath.delete(deleted.path);
          for (let count = 0; count < step; count++) stream.grow();
          viewer.poll();
        }
        const streamSegments = [...viewer.shownByMsn.values()].filter(({ address }) => /^\d/.test(address));
        for (const [index, entry] of streamSegments.entries()) {
          const lagMs = entry.startMs - entry.segment.startMs;
          expect(lagMs).toBeGreaterThanOrEqual(0);
          expect(lagMs).toBeLessThan(Math.max(segmentMs, 1000) + 1);
          const next = streamSegments[index + 1];
          if (next) expect(next.segment.startMs).toBeGreaterThan(entry.segment.startMs);
        }
        // The playlist grows continuously: its end is never further back than a segment plus the viewer's delay.
        const last = viewer.poll().at(-1);
        const endMs = (last?.startMs ?? 0) + (last ? lengthMs(last) : 0);
        expect(stream.endMs - endMs).toBeLessThanOrEqual(1000 + segmentMs);
      }),
      { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 60) },
    );
  });

  it('continues at the start of the window after an absence longer than the window', () => {
    const stream = new LiveStream({ segmentMs: 2000, listed: 10 });
    stream.growTo(20);
    const viewer = new Viewer(stream, { prerolls: ['a'] }, clipOf('a', 4));
    stream.growTo(60);
    const listed = viewer.window.segments('v1');
    expect(listed[0]?.segment.startMs).toBe(stream.window.segments('v1')[0]?.segment.startMs);
    expect(listed[0]?.msn).toBeGreaterThan(20);
  });
});

it('an ad window has no segments while the stream has none', () => {
  const stream = new ListWindow({ mutability: 'live', epochMs: 0, tracks: [] });
  const plan = new AdPlan({ ...NONE, prerolls: ['a'] }, sourceOf(new Map([['a', clipOf('a', 3)]])));
  const window = new AdWindow({ stream, plan, longestClipSegmentMs: 1000 });
  expect(window.bounds()).toBeUndefined();
  expect(window.periods()).toEqual([]);
});
