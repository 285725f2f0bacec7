import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ListWindow } from '../../tests/helpers/list-window.ts';
import type { MadeInput } from '../../tests/helpers/made-input.ts';
import { spliceInsert } from '../../tests/helpers/splice-sections.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { checkUpdate, readStrictMpd, type ReadMpd } from '../../tests/helpers/strict-mpd.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../tests/helpers/strict-playlist.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { Programme } from '../packaging/programme.ts';
import { renderTsPlaylist } from '../packaging/hls/ts-playlist.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import type { Clip, ClipSource } from './clips/clip.ts';
import { USUAL_RULES, type AdDecision } from './decision/ad-decision.ts';
import { InPlacePlan } from './placement/in-place/in-place-plan.ts';
import { InPlaceWindow } from './placement/in-place/in-place-window.ts';
import { AdPlan } from './placement/separate/ad-plan.ts';
import { AdWindow } from './placement/separate/ad-window.ts';

const INPUT: MadeInput = {
  video: { fps: 25, gopFrames: 25, bFrames: 0 },
  audio: { sampleRate: 48_000, lateMs: 0 },
  seconds: 40,
};
const LIVE = { segmentMs: 1000, partMs: 200, segmentCount: 40 };
/** Time at which the viewer starts, in milliseconds of the input. */
const JOIN_MS = 2500;

/** Clip with the format of the stream. */
function clipOf(path: string, seconds: number): Clip {
  const stream = new StreamRun(LIVE);
  stream.play({ ...INPUT, seconds: seconds + 2 });
  const addressPrefix = `${path}-`;
  const tracks = stream.window.tracks.map(({ track }) => {
    const segments = stream.window.segments(track.id).slice(0, seconds);
    const placed = segments.map(({ segment }, msn) => {
      const { startMs } = segment;
      const address = `${addressPrefix}${startMs}`;
      return { segment, msn, startMs, isDiscontinuity: false, discontinuitySequence: 0, address };
    });
    return { track, segments: placed };
  });
  const window = new ListWindow({ tracks, periods: [{ firstMsn: 0, startMs: 0, mediaOffsetMs: 0, addressPrefix }] });
  return { path, window, addressPrefix };
}

const CLIPS = new Map([clipOf('a', 2), clipOf('b', 1)].map((clip) => [clip.path, clip]));
const source: ClipSource = (path) => CLIPS.get(path) ?? { path, reason: 'clip_not_found', detail: path };

function windowOf({ window }: StreamRun, form: AdDecision['form'], insertBy: AdDecision['insertBy']): SegmentWindow {
  const decision = { form, prerolls: [], midrolls: ['a', 'b'], insertBy, intervalMs: 5000, rules: USUAL_RULES };
  return form === 'separate'
    ? new AdWindow({ stream: window, plan: new AdPlan(decision, source), longestClipSegmentMs: 1000 })
    : new InPlaceWindow(window, new InPlacePlan(decision, source));
}

/** Numbers and addresses of the segments of a playlist of MPEG-TS, oldest first. */
function numbersOf(text: string): Map<number, string> {
  const first = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
  return new Map([...text.matchAll(/^ts\/(.*)\.ts$/gm)].map(([, address = ''], index) => [first + index, address]));
}

const pauses = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 20, max: 600 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1000, max: 4000 }) },
);
const viewers = fc.record({
  /** Loads of playlists, and the time before each. */
  loads: fc.array(fc.record({ pauseMs: pauses, track: fc.constantFrom('v1', 'a1') }), { minLength: 20, maxLength: 90 }),
  form: fc.constantFrom('separate' as const, 'in_place' as const),
  insertBy: fc.constantFrom('interval' as const, 'splicing' as const),
});
const inputs = fc.record({
  lateMs: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.integer({ min: -400, max: 3000 })),
  spliceMs: fc.integer({ min: 4000, max: 9000 }),
  silence: fc.record({
    track: fc.constantFrom('a1' as const, 'all' as const),
    fromMs: fc.integer({ min: 3000, max: 9000 }),
    lastsMs: fc.oneof(fc.constant(0), fc.integer({ min: 100, max: 6000 })),
  }),
});

it('keeps what playlists and manifests of a viewer with clips listed, with late or missing audio and irregular loads', () => {
  fc.assert(
    fc.property(viewers, inputs, ({ loads, form, insertBy }, { lateMs, spliceMs, silence }) => {
      const { track: silent, fromMs, lastsMs } = silence;
      const stream = new StreamRun(LIVE);
      const play = stream.playing({
        ...INPUT,
        audio: { sampleRate: 48_000, lateMs },
        silences: [{ track: silent, fromMs, toMs: fromMs + lastsMs }],
      });
      let ms = spliceMs - 1500;
      play(ms);
      const section = spliceInsert({ ptsTicks: spliceMs * 90, durationMs: 4000 });
      stream.feed(() => {
        stream.hub.splice({ sourceId: 1, section, atTicks: ms * 90 });
      });
      ms = Math.max(ms, JOIN_MS);
      play(ms);
      const window = windowOf(stream, form, insertBy);
      const before = new Map<string, ReadPlaylist>();
      let breaks = 0;
      let numbers = new Map<number, string>();
      let tsCount = 0;
      let mpdBefore: ReadMpd | undefined;
      for (const { pauseMs, track } of loads) {
        ms += pauseMs;
        play(ms);
        const manifest = renderMpd(window, { nowMs: stream.clock.now() });
        const mpd = manifest === undefined ? undefined : readStrictMpd(manifest);
        if (mpd && mpdBefore) checkUpdate(mpdBefore, mpd);
        mpdBefore = mpd;
        // Segments of MPEG-TS keep their numbers, and are answered from the list on until they leave it. Some leave it between
        // two loads.
        const listed = numbersOf(renderTsPlaylist(window) ?? '');
        for (const [msn, address] of listed) expect(numbers.get(msn) ?? address).toBe(address);
        const programme = new Programme(window);
        for (const address of [...[...numbers.values()].slice(5), ...listed.values()]) {
          const entry = programme.byAddress(address);
          expect([address, entry !== undefined && programme.isReady(entry.msn)]).toEqual([address, true]);
        }
        numbers = listed;
        tsCount += listed.size;
        const text = renderMediaPlaylist(window, { trackId: track });
        if (text === undefined) continue;
        const earlier = before.get(track);
        const playlist = readStrictPlaylist(text, earlier);
        if (earlier) checkReload(earlier, playlist);
        before.set(track, playlist);
        if (text.includes('a-')) breaks++;
      }
      fc.pre(form !== 'separate' || breaks > 0);
      expect(before.size).toBeGreaterThan(0);
      expect(tsCount).toBeGreaterThan(0);
    }),
    { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 40) },
  );
});
