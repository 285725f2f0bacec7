import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdDecision } from '../../../src-main/ads/decision/ad-decision.ts';
import { USUAL_RULES } from '../../../src-main/ads/decision/ad-decision.ts';
import { viewerOutput } from '../../../src-main/ads/viewer-output.ts';
import type { Clip } from '../../../src-main/ads/clips/clip.ts';
import { StreamOutput } from '../../../src-main/delivery/stream-output.ts';
import { Mp4Pass } from '../../../src-main/ingest/file/mp4-pass.ts';
import { openMovie } from '../../../src-main/media/containers/isobmff/movie-file.ts';
import { OpenFiles } from '../../../src-main/vod/thread/open-files.ts';
import {
  checkOrder,
  checkSteps,
  FRAME_MS,
  KnownUnits,
  MAX_OFFSET_MS,
  UNIT_MS,
  type ExpectedBreaks,
} from '../../helpers/break-proof.ts';
import { BreakViewer } from '../../helpers/break-viewer.ts';
import { encodeNumbered } from '../../helpers/numbered-media.ts';
import { picturesByGst, unitsByVlc } from '../../helpers/peer-units.ts';
import { bytesOfMemory, CollectingSink } from '../../helpers/clip-folder.ts';
import { spliceInsert } from '../../helpers/splice-sections.ts';
import { StreamRun } from '../../helpers/stream-run.ts';

// Twenty breaks of each kind, played by ffmpeg, GStreamer and VLC from the playlists; pictures and audio are identified
// by their bytes.

const BREAKS = 20;
const SEGMENT_MS = 2000;
const BREAK_MS = 4000;
/** From the start of a break to that of the next one. */
const EACH_MS = 8000;
const LEAD_MS = 8000;
const SECONDS = (LEAD_MS + BREAKS * EACH_MS) / 1000 + 4;
/** Interval between loads of the playlists. */
const POLL_MS = 2000;
/** Size of a decoded picture, 4:2:0. */
const FRAME_BYTES = 96 * 64 * 1.5;
/** AIRDESK_BREAKS also runs GStreamer and VLC through breaks by interval. */
const IS_ALL = process.env['AIRDESK_BREAKS'] !== undefined;
/**
 * Names of clips, and their durations in seconds. One has other parameter sets than the stream; it is only used inside
 * segments, because ffmpeg ignores those of another init segment.
 */
const CLIPS = [
  { name: 'a', seconds: 3, options: ['-refs', '2'] },
  { name: 'b', seconds: 2, options: [] },
  { name: 'c', seconds: 3, options: [] },
] as const;
/** Clips of a break, and their durations in frames. */
const SHOWN = { separate: ['c', 'b'], in_place: ['a', 'b'] } as const;

const KINDS = (['separate', 'in_place'] as const).flatMap((form) =>
  (['interval', 'splicing'] as const).map((insertBy) => ({ form, insertBy })),
);

const folder = mkdtempSync(join(tmpdir(), 'airdesk-breaks-'));
// VLC does not run as root, so another user must be able to read the folder.
chmodSync(folder, 0o755);
const viewers = new Map<string, BreakViewer>();
let knownUnits: KnownUnits;

beforeAll(async () => {
  const clips = new Map<string, Clip>();
  encodeNumbered(join(folder, 'programme.mp4'), { seconds: SECONDS, seed: 0 });
  for (const [index, { name, seconds, options }] of CLIPS.entries())
    encodeNumbered(join(folder, `${name}.mp4`), { seconds, seed: index + 1, options });
  knownUnits = await KnownUnits.read(folder, CLIPS);
  const run = new StreamRun({ segmentMs: SEGMENT_MS });
  const files = new OpenFiles({ clock: run.clock });
  files.apply([{ prefix: 'ads', roots: [folder], segmentMs: 1000 }]);
  for (const { name } of CLIPS) {
    const path = `ads/${name}.mp4`;
    const found = await files.open(path);
    if ('code' in found) throw new Error(found.detail);
    clips.set(path, { path, window: found.window, addressPrefix: found.window.periods()[0]?.addressPrefix ?? '' });
  }
  const live = new StreamOutput('cam', run.window);
  const file = bytesOfMemory(readFileSync(join(folder, 'programme.mp4')));
  const movie = await openMovie(file);
  if (typeof movie === 'string') throw new Error(movie);
  const sink = new CollectingSink();
  const pass = new Mp4Pass(file, movie, sink, () => undefined);
  while (await pass.step());
  const units = sink.units.toSorted((one, other) => one.dtsTicks - other.dtsTicks);
  const openedMs = run.clock.now();
  let next = 0;
  for (let atMs = 1000; atMs <= SECONDS * 1000; atMs += 1000) {
    const first = next;
    while ((units[next]?.dtsTicks ?? Infinity) < atMs * 90) next++;
    run.playUnits(sink.trackSets[0] ?? [], units.slice(first, next));
    // The source runs as fast as the clock, or the timeline would slow it down.
    run.clock.advance(Math.max(0, openedMs + atMs - run.clock.now()));
    const startMs = atMs + 2000 - LEAD_MS;
    if (startMs >= 0 && startMs % EACH_MS === 0)
      run.feed(() => {
        const section = spliceInsert({ eventId: atMs, ptsTicks: (atMs + 2000) * 90, durationMs: BREAK_MS });
        run.hub.splice({ sourceId: 1, section, atTicks: atMs * 90 });
      });
    if (atMs === LEAD_MS - POLL_MS)
      for (const { form, insertBy } of KINDS) {
        const decision: AdDecision = {
          form,
          prerolls: [],
          midrolls: SHOWN[form].map((name) => `ads/${name}.mp4`),
          insertBy,
          rules: USUAL_RULES,
          intervalMs: insertBy === 'interval' ? 2000 : undefined,
        };
        const missing = (path: string) => ({ path, reason: 'clip_not_found' as const, detail: '' });
        const source = (path: string): ReturnType<typeof missing> | Clip => clips.get(path) ?? missing(path);
        const output = viewerOutput({ live, decision, clips: source, delivered: () => undefined });
        viewers.set(
          `${form} ${insertBy}`,
          new BreakViewer(output.window, join(folder, `${form}-${insertBy}`), picturesOf(form)),
        );
      }
    if (atMs % POLL_MS === 0) for (const viewer of viewers.values()) await viewer.poll();
  }
  run.close();
  await files.close();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/**
 * Kinds of units that ffmpeg can identify: with separate clips, it does not decode pictures in fragmented MP4 because
 * their times restart.
 */
function picturesOf(form: AdDecision['form']): 'v' | 'vc' {
  return form === 'separate' ? 'vc' : 'v';
}

/** Expected breaks of a form. */
function expectedBreaks(form: AdDecision['form']): ExpectedBreaks {
  const clips = SHOWN[form].map((name) => ({ name, seconds: CLIPS.find((clip) => clip.name === name)?.seconds ?? 0 }));
  return { form, clips, segmentMs: SEGMENT_MS };
}

it.each(KINDS.flatMap((kind) => (['v1', 'ts'] as const).map((recording) => ({ ...kind, recording }))))(
  'contains each picture once and continuous audio, with clips $form, by $insertBy, from $recording',
  async ({ form, insertBy, recording }) => {
    const viewer = viewers.get(`${form} ${insertBy}`) as BreakViewer;
    const { v: units, a: sound } = (await viewer.shown())[recording];
    const pictures = knownUnits.rangesOf(units, recording === 'v1' ? picturesOf(form) : 'v');
    expect(checkOrder(pictures, expectedBreaks(form))).toBeGreaterThanOrEqual(BREAKS);
    // With continuous times, audio and video agree.
    checkSteps(pictures, knownUnits.rangesOf(sound, 'a'), { hasTimes: form === 'in_place', areAligned: true });
    if (form === 'separate') return;
    for (const [list, lengthMs] of [[units, FRAME_MS] as const, [sound, UNIT_MS] as const])
      for (const [index, { ms }] of list.entries())
        if (index > 0) expect(Math.abs(ms - (list[index - 1]?.ms ?? 0) - lengthMs)).toBeLessThan(3);
  },
);

const PEER_KINDS = KINDS.filter(({ insertBy }) => IS_ALL || insertBy === 'splicing');

it.each(PEER_KINDS.flatMap((kind) => (['v1', 'ts'] as const).map((recording) => ({ ...kind, recording }))))(
  'shows each picture once in GStreamer, with clips $form, by $insertBy, from $recording',
  async ({ form, insertBy, recording }) => {
    const viewer = viewers.get(`${form} ${insertBy}`) as BreakViewer;
    const digests = await picturesByGst(`file://${viewer.playlist(recording)}`, FRAME_BYTES);
    const pictures = knownUnits.rangesOf(
      digests.map((digest, index) => ({ digest, ms: index * FRAME_MS })),
      'v',
    );
    expect(checkOrder(pictures, expectedBreaks(form))).toBeGreaterThanOrEqual(BREAKS);
    expect(digests).toHaveLength((await viewer.shown())[recording].v.length);
  },
);

// With separate clips, VLC does not write the last 200 ms before a discontinuity because its multiplexer restarts: its
// output does not show what VLC displays.
it.each(PEER_KINDS.filter(({ form }) => form === 'in_place'))(
  'gives VLC each picture once and synchronous audio, with clips in place, by $insertBy',
  async ({ form, insertBy }) => {
    const viewer = viewers.get(`${form} ${insertBy}`) as BreakViewer;
    const taken = await unitsByVlc(viewer.playlist('ts'));
    // VLC does not write the last 200 ms.
    expect((await viewer.shown()).ts.v.length - taken.v.length).toBeLessThanOrEqual(5);
    const pictures = knownUnits.rangesOf(taken.v, 'v');
    expect(checkOrder(pictures, expectedBreaks(form))).toBeGreaterThanOrEqual(BREAKS);
    checkSteps(pictures, knownUnits.rangesOf(taken.a, 'a'), { hasTimes: true, areAligned: false });
  },
);

it.each(KINDS)('lists video and audio segments that start together, with clips $form, by $insertBy', (kind) => {
  const { placed, dash, segmentsWithParts } = viewers.get(`${kind.form} ${kind.insertBy}`) as BreakViewer;
  expect(placed.v1.size).toBeGreaterThan(SECONDS / 3);
  for (const [msn, video] of placed.v1) {
    const audio = placed.a1.get(msn);
    if (!audio) continue;
    const apartMs = audio.startMs - video.startMs;
    expect([msn, Math.abs(apartMs) <= MAX_OFFSET_MS]).toEqual([msn, true]);
    // Media times of video and audio differ by at most one unit, for players that ignore the dates.
    expect([msn, Math.abs(apartMs - audio.mediaMs + video.mediaMs) <= UNIT_MS + 1]).toEqual([msn, true]);
    const next = placed.v1.get(msn + 1);
    if (next) expect(Math.abs(next.startMs - video.startMs - video.durationMs)).toBeLessThanOrEqual(1);
  }
  // In DASH each segment starts at the end of the previous segment.
  const listed = [...dash.values()];
  expect(listed.length).toBeGreaterThanOrEqual(placed.v1.size);
  for (const [index, { fromMs }] of listed.entries())
    if (index > 0) expect(Math.abs(fromMs - (listed[index - 1]?.toMs ?? 0))).toBeLessThan(FRAME_MS);
  expect(segmentsWithParts).toBeGreaterThan(0);
});
