import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyDelays,
  anyTrackSteps,
  ChangingEncoder,
  type Delays,
  type TrackStep,
} from '../../../../tests/helpers/changing-encoder.ts';
import { DashClient } from '../../../../tests/helpers/dash-client.ts';
import { ListWindow } from '../../../../tests/helpers/list-window.ts';
import { StreamRun } from '../../../../tests/helpers/stream-run.ts';
import { readStrictMpd } from '../../../../tests/helpers/strict-mpd.ts';
import { prefixOf } from '../../../packaging/address.ts';
import { renderMpd } from '../../../packaging/dash/mpd.ts';
import { USUAL_RULES } from '../../decision/ad-decision.ts';
import { AdPlan } from './ad-plan.ts';
import { AdWindow } from './ad-window.ts';
import { InPlacePlan } from '../in-place/in-place-plan.ts';
import { InPlaceWindow } from '../in-place/in-place-window.ts';
import { Programme } from '../../../packaging/programme.ts';
import type { ChangingWindow, WindowSegment } from '../../../segment/segment-window.ts';
import type { Clip, ClipSource } from '../../clips/clip.ts';
import { inStream } from '../../clips/clip-in-stream.ts';

// Separate clips as DASH players see them while the stream grows unit by unit: each period has all its tracks in the
// first MPD that lists it.

/** A clip with media, in segments of one second. */
function clipOf(path: string, seconds: number): Clip {
  const run = new StreamRun({ partMs: 1000, segmentMs: 1000, segmentCount: 10 });
  const video = { fps: 25, gopFrames: 25, bFrames: 0 };
  run.play({ video, audio: { sampleRate: 48_000, lateMs: 0 }, seconds });
  run.close();
  const addressPrefix = `${path}-`;
  const { tracks, inits, window } = { tracks: run.window.tracks, inits: run.window.inits, window: run.window };
  const [first] = window.segments('v1');
  return {
    path,
    addressPrefix,
    window: new ListWindow({
      tracks: tracks.map(({ track }) => ({
        track,
        segments: window
          .segments(track.id)
          .slice(0, seconds)
          .map((entry) => ({ ...entry, address: `${addressPrefix}${entry.address}` })),
      })),
      inits: inits.map((init) => ({ ...init, addressPrefix })),
      periods: [
        { firstMsn: first?.msn ?? 0, startMs: first?.startMs ?? 0, mediaOffsetMs: first?.startMs ?? 0, addressPrefix },
      ],
    }),
  };
}

const CLIPS = new Map([clipOf('a', 1), clipOf('b', 2)].map((clip) => [clip.path, clip]));

const DECISION = { form: 'separate', insertBy: 'interval', rules: USUAL_RULES } as const;
const NO_DELAYS: Delays = { v1: 0, v2: 0, a1: 0, a2: 0, a3: 0 };

interface Watched {
  readonly steps: readonly TrackStep[];
  readonly delays: Delays;
  readonly midrolls: readonly string[];
  readonly intervalMs: number;
  /** Number of units between two loads of the manifest. */
  readonly every: number;
}

function faultsOf({ steps, delays, midrolls, intervalMs, every }: Watched): string[] {
  const run = new StreamRun({ partMs: 500, segmentMs: 1000, segmentCount: 6 });
  const encoder = new ChangingEncoder(run, delays);
  const plan = new AdPlan({ ...DECISION, prerolls: midrolls.slice(1), midrolls, intervalMs }, (path) => {
    const clip = CLIPS.get(path);
    return clip ? inStream(clip, run.window) : { path, reason: 'clip_not_found', detail: '' };
  });
  const window = new AdWindow({ stream: run.window, plan, longestClipSegmentMs: 1000 });
  const client = new DashClient();
  let batches = 0;
  run.onBatch = () => {
    if (batches++ % every === 0) client.update(window, run.clock.now());
  };
  for (const step of steps) encoder.take(step);
  run.close();
  return client.faults;
}

const plain: fc.Arbitrary<Watched> = fc.record({
  steps: fc.tuple(
    fc.constant({ type: 'toggle', id: 'a2' } as const),
    fc.integer({ min: 5000, max: 15_000 }).map((ms) => ({ type: 'play', ms }) as const),
  ),
  delays: anyDelays,
  midrolls: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 }),
  intervalMs: fc.integer({ min: 1, max: 5 }).map((seconds) => seconds * 1000),
  every: fc.integer({ min: 1, max: 40 }),
});

/** The clip has audio although the stream has none yet. */
const SOUND_COMES_LATE: Watched = {
  steps: [],
  delays: { ...NO_DELAYS, a1: 504 },
  midrolls: ['a'],
  intervalMs: 1000,
  every: 1,
};
const SHORT_STEPS: TrackStep[] = [
  { type: 'play', ms: 40 },
  { type: 'idle' },
  { type: 'play', ms: 40 },
  { type: 'play', ms: 2921 },
];

const TWO_CLIPS: Watched = { ...SOUND_COMES_LATE, delays: NO_DELAYS, midrolls: ['a', 'b'] };
/** The video track is missing when the clips start, and returns while the audio before the clips is still listed. */
const PICTURE_RETURNS: TrackStep[] = [
  { type: 'play', ms: 4001 },
  { type: 'toggle', id: 'v1' },
  { type: 'play', ms: 5024 },
  { type: 'toggle', id: 'v1' },
  { type: 'toggle', id: 'a1' },
  { type: 'play', ms: 40 },
];

it('an AdWindow lists no period of the stream after a clip before all of its tracks have started', () => {
  fc.assert(
    fc.property(plain, (watched) => {
      expect(faultsOf(watched).slice(0, 3)).toEqual([]);
    }),
    { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 20) },
  );
});

it('an AdWindow keeps listed periods unchanged when tracks appear and disappear', () => {
  fc.assert(
    fc.property(plain, anyTrackSteps, (watched, steps) => {
      expect(faultsOf({ ...watched, steps }).slice(0, 3)).toEqual([]);
    }),
    {
      numRuns: Number(process.env['AIRDESK_RUNS'] ?? 20),
      examples: [
        [SOUND_COMES_LATE, SHORT_STEPS],
        [TWO_CLIPS, PICTURE_RETURNS],
      ],
    },
  );
});

it.each([
  { loadsFullSegments: false, fromMs: 10_000 },
  { loadsFullSegments: true, fromMs: 8000 },
])(
  'a preroll starts at the distance that the player keeps (loads complete segments: $loadsFullSegments)',
  ({ loadsFullSegments, fromMs }) => {
    const run = new StreamRun({ partMs: 500, segmentMs: 2000, segmentCount: 6 });
    const source: ClipSource = (path) => CLIPS.get(path) ?? { path, reason: 'clip_not_found', detail: '' };
    new ChangingEncoder(run, NO_DELAYS).take({ type: 'play', ms: 12_900 });
    const plan = new AdPlan({ ...DECISION, prerolls: ['a', 'b'], midrolls: [], intervalMs: 2000 }, source, {
      loadsFullSegments,
    });
    const window = new AdWindow({ stream: run.window, plan, longestClipSegmentMs: 1000 });
    expect(window.bounds()?.fromMs).toBe((run.window.periods()[0]?.startMs ?? 0) + fromMs);
  },
);

it('an MPD with separate clips makes players load complete segments, because Shaka drops chunks before a period with another clock', () => {
  const run = new StreamRun({ partMs: 500, segmentMs: 1000, segmentCount: 6 });
  const decision = { ...DECISION, prerolls: [], midrolls: ['a'], intervalMs: 2000 };
  const window = new AdWindow({
    stream: run.window,
    plan: new AdPlan(decision, (path) => CLIPS.get(path) ?? { path, reason: 'clip_not_found', detail: '' }),
    longestClipSegmentMs: 1000,
  });
  run.onBatch = () => window.periods();
  new ChangingEncoder(run, NO_DELAYS).take({ type: 'play', ms: 12_900 });
  const text = renderMpd(window, { nowMs: run.clock.now() }) ?? '';
  expect(readStrictMpd(text).periods.length).toBeGreaterThan(2);
  expect(text).not.toContain('availabilityTime');
  // The delay is a little more than two complete segments, because a segment is known to be complete only with the next
  // part.
  expect(text).toContain('minimumUpdatePeriod="PT0.5S"');
  expect(text).toContain('suggestedPresentationDelay="PT2.5S"');
  expect(text).toContain('<Latency target="3500" ');
  for (const { sets } of readStrictMpd(text).periods)
    for (const { trackId, media, segments } of sets)
      for (const { t } of segments)
        expect(
          window.segmentByAddress(trackId, media.replace(/^.*\//, '').replace('$Time$.m4s', String(t))),
        ).toMatchObject({
          segment: { isComplete: true },
        });
  run.close();
});

it('windows with clips list an ended track as long as the stream lists it', () => {
  const run = new StreamRun({ partMs: 500, segmentMs: 1000, segmentCount: 6 });
  const decision = { ...DECISION, prerolls: [], midrolls: ['a'], intervalMs: 60_000 };
  const noClip = (path: string) => ({ path, reason: 'clip_not_found', detail: '' }) as const;
  const windows = [
    new AdWindow({ stream: run.window, plan: new AdPlan(decision, noClip), longestClipSegmentMs: 1000 }),
    new InPlaceWindow(run.window, new InPlacePlan(decision, noClip)),
  ];
  const encoder = new ChangingEncoder(run, NO_DELAYS);
  for (const ms of [4000, 2000]) {
    encoder.take({ type: 'toggle', id: 'a2' });
    encoder.take({ type: 'play', ms });
  }
  const idsOf = (window: ChangingWindow) => (window.listedTracks ?? window.tracks).map(({ track }) => track.id);
  expect(idsOf(run.window)).toEqual(['v1', 'a1', 'a2']);
  expect(windows.map(idsOf)).toEqual([idsOf(run.window), idsOf(run.window)]);
  run.close();
});

describe.each(['separate', 'in place'])('clips %s', (form) => {
  it.each([500, 0])('are still served for a while after they left the playlist, with parts of %i ms', (partMs) => {
    const run = new StreamRun({ partMs: 500, segmentMs: 1000, segmentCount: 3 });
    const decision = { ...DECISION, prerolls: ['b'], midrolls: ['a', 'b', 'a'], intervalMs: 3000 };
    const known: ClipSource = (path) => CLIPS.get(path) ?? { path, reason: 'clip_not_found', detail: '' };
    Object.assign(run.window, { partMs });
    const window =
      form === 'separate'
        ? new AdWindow({ stream: run.window, plan: new AdPlan(decision, known), longestClipSegmentMs: 1000 })
        : new InPlaceWindow(run.window, new InPlacePlan(decision, known));
    const listed = new Map<string, { readonly entry: WindowSegment; readonly isClip: boolean; ms: number }>();
    const refused = new Set<string>();
    run.onBatch = () => {
      const now = run.clock.now();
      const programme = new Programme(window);
      for (const entry of window.segments('v1'))
        if (entry.segment.isComplete && programme.isReady(entry.msn))
          listed.set(entry.address, { entry, ms: now, isClip: window.isOfViewer('v1', entry.address) });
      for (const [address, { entry, isClip, ms }] of listed) {
        // The duration of the segment plus a target duration, less some frames.
        if (now - ms > 2000 + 2000 - 200) continue;
        const found = window.segmentByAddress('v1', address);
        const same = found?.msn === entry.msn && found.segment.parts.length === entry.segment.parts.length;
        const init = found && window.init('v1', found.segment.initId, prefixOf(found));
        const isInTs = programme.byAddress(address)?.msn === entry.msn && programme.isReady(entry.msn);
        if (!same || !init || !isInTs || window.isOfViewer('v1', address) !== isClip) refused.add(address);
      }
    };
    new ChangingEncoder(run, NO_DELAYS).take({ type: 'play', ms: 30_000 });
    expect([...listed.values()].filter(({ isClip }) => isClip).length).toBeGreaterThan(8);
    expect([...refused]).toEqual([]);
    run.close();
  });
});
