import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdDecision } from '../../../src-main/ads/ad-decision.ts';
import { USUAL_RULES } from '../../../src-main/ads/ad-decision.ts';
import { AdOutput } from '../../../src-main/ads/ad-output.ts';
import type { Clip } from '../../../src-main/ads/clip.ts';
import { StreamOutput } from '../../../src-main/delivery/stream-output.ts';
import { Mp4Pass } from '../../../src-main/ingest/file/mp4-pass.ts';
import { openMovie } from '../../../src-main/media/containers/movie-file.ts';
import { OpenFiles } from '../../../src-main/vod/open-files.ts';
import { BreakViewer, type Content, encodeNumbered, unitsOf, type ShownUnit } from '../../helpers/break-viewer.ts';
import { picturesByGst, unitsByVlc } from '../../helpers/peer-units.ts';
import { bytesOfMemory, KeepingSink } from '../../helpers/clip-folder.ts';
import { spliceInsert } from '../../helpers/splice-sections.ts';
import { StreamRun } from '../../helpers/stream-run.ts';

// Twenty breaks of each kind, played by ffmpeg, GStreamer and VLC from what the playlists list: which pictures and which sound a viewer is shown, each known by its bytes.

const BREAKS = 20;
const SEGMENT_MS = 2000;
const BREAK_MS = 4000;
/** From the begin of a break to that of the next one. */
const EACH_MS = 8000;
const LEAD_MS = 8000;
const SECONDS = (LEAD_MS + BREAKS * EACH_MS) / 1000 + 4;
/** Between loads of the playlists. */
const LOOK_MS = 2000;
const FRAME_MS = 40;
/** Sound may be so far from the pictures that it was made with. */
const STEP_MS = 40;
const UNIT_MS = 1024 / 48;
/** A decoded picture, 4:2:0. */
const FRAME_BYTES = 96 * 64 * 1.5;
/** AIRDESK_BREAKS also lets GStreamer and VLC go through breaks by interval. */
const IS_ALL = process.env['AIRDESK_BREAKS'] !== undefined;
/**
 * Names of clips, and how long each is in seconds. One has other parameter sets than the stream; it stands inside segments only, because ffmpeg does not
 * take those of another init segment.
 */
const CLIPS = [
  { name: 'a', seconds: 3, options: ['-refs', '2'] },
  { name: 'b', seconds: 2, options: [] },
  { name: 'c', seconds: 3, options: [] },
] as const;
/** Clips of a break, and their lengths in frames. */
const SHOWN = { apart: ['c', 'b'], inside: ['a', 'b'] } as const;

const KINDS = (['apart', 'inside'] as const).flatMap((form) =>
  (['interval', 'splicing'] as const).map((insertBy) => ({ form, insertBy })),
);

const folder = mkdtempSync(join(tmpdir(), 'airdesk-breaks-'));
// VLC does not run as root, and reads it.
chmodSync(folder, 0o755);
const viewers = new Map<string, BreakViewer>();
/** Where each picture and each sound comes from, and its place there in milliseconds. */
const known = { v: new Map<string, Place>(), vc: new Map<string, Place>(), a: new Map<string, Place>() };

interface Place {
  readonly name: string;
  readonly index: number;
}

beforeAll(async () => {
  const clips = new Map<string, Clip>();
  encodeNumbered(join(folder, 'programme.mp4'), { seconds: SECONDS, seed: 0 });
  for (const [index, { name, seconds, options }] of CLIPS.entries())
    encodeNumbered(join(folder, `${name}.mp4`), { seconds, seed: index + 1, options });
  for (const name of ['programme', ...CLIPS.map((clip) => clip.name)])
    for (const content of ['v', 'vc', 'a'] as const)
      for (const [index, { digest }] of unitsOf(join(folder, `${name}.mp4`), content).entries()) {
        expect(known[content].get(digest)).toBeUndefined();
        known[content].set(digest, { name, index });
      }
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
  const sink = new KeepingSink();
  const pass = new Mp4Pass(file, movie, sink, () => undefined);
  while (await pass.step());
  const units = sink.units.toSorted((one, other) => one.dtsTicks - other.dtsTicks);
  let next = 0;
  for (let atMs = 1000; atMs <= SECONDS * 1000; atMs += 1000) {
    const first = next;
    while ((units[next]?.dtsTicks ?? Infinity) < atMs * 90) next++;
    run.playUnits(sink.trackSets[0] ?? [], units.slice(first, next));
    const startMs = atMs + 2000 - LEAD_MS;
    if (startMs >= 0 && startMs % EACH_MS === 0)
      run.feed(() => {
        const section = spliceInsert({ eventId: atMs, ptsTicks: (atMs + 2000) * 90, durationMs: BREAK_MS });
        run.hub.splice({ sourceId: 1, section, atTicks: atMs * 90 });
      });
    if (atMs === LEAD_MS - LOOK_MS)
      for (const { form, insertBy } of KINDS) {
        const decision: AdDecision = {
          ...{
            form,
            prerolls: [],
            midrolls: SHOWN[form].map((name) => `ads/${name}.mp4`),
            insertBy,
            rules: USUAL_RULES,
          },
          intervalMs: insertBy === 'interval' ? 2000 : undefined,
        };
        const missing = (path: string) => ({ path, reason: 'clip_not_found' as const, detail: '' });
        const source = (path: string): ReturnType<typeof missing> | Clip => clips.get(path) ?? missing(path);
        const output = new AdOutput({ live, decision, clips: source, delivered: () => undefined });
        viewers.set(`${form} ${insertBy}`, new BreakViewer(output.window, join(folder, `${form}-${insertBy}`)));
      }
    if (atMs % LOOK_MS === 0) for (const viewer of viewers.values()) await viewer.look();
  }
  run.close();
  files.close();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Units of one origin that follow each other. */
interface Stretch {
  readonly name: string;
  readonly first: number;
  count: number;
  readonly startMs: number;
  endMs: number;
}

/** What was shown, in stretches; fails where a picture or sound is unknown. */
function stretchesOf(units: readonly ShownUnit[], content: Content): Stretch[] {
  const all: Stretch[] = [];
  const lengthMs = content === 'a' ? UNIT_MS : FRAME_MS;
  for (const { digest, ms } of units) {
    const place = known[content].get(digest);
    if (!place) throw new Error(`something at ${ms} ms is of no file`);
    const last = all.at(-1);
    if (last?.name === place.name && place.index === last.first + last.count) {
      last.count++;
      last.endMs = ms + lengthMs;
    } else all.push({ name: place.name, first: place.index, count: 1, startMs: ms, endMs: ms + lengthMs });
  }
  return all;
}

/** Whether stretches are those of a programme with breaks in it: no picture of the stream twice or missing, and clips from their begin on, in their order. */
function checkOrder(all: readonly Stretch[], form: AdDecision['form']): void {
  const order = SHOWN[form] as readonly string[];
  let breaks = 0;
  let [endFrame, awayFrames, inBreak] = [0, 0, 0];
  for (const [index, { name, first, count }] of all.entries()) {
    const isLast = index === all.length - 1;
    if (name === 'programme') {
      // What the stream showed meanwhile was replaced: after the break the viewer is where all others are, or less than a segment behind.
      const behind = awayFrames - (first - endFrame);
      expect(behind).toBeGreaterThanOrEqual(form === 'inside' ? 0 : 1 - SEGMENT_MS / FRAME_MS);
      expect(behind).toBeLessThan(form === 'inside' ? 1 : SEGMENT_MS / FRAME_MS);
      [endFrame, awayFrames, inBreak] = [first + count, 0, 0];
      continue;
    }
    expect([name, first]).toEqual([order[inBreak++ % order.length], 0]);
    if (inBreak === 1) breaks++;
    awayFrames += count;
    // A clip is whole, or its break ends with a second of it.
    const isWhole = count === (CLIPS.find((clip) => clip.name === name)?.seconds ?? 0) * 25;
    if (!isWhole && !isLast) expect([all[index + 1]?.name, count % 25]).toEqual(['programme', 0]);
  }
  expect(breaks).toBeGreaterThanOrEqual(BREAKS);
}

it.each(KINDS.flatMap((kind) => (['v1', 'ts'] as const).map((recording) => ({ ...kind, recording }))))(
  'shows each picture once, and sound in step, with clips $form, by $insertBy, from $recording',
  ({ form, insertBy, recording }) => {
    const viewer = viewers.get(`${form} ${insertBy}`) as BreakViewer;
    const content = form === 'apart' && recording === 'v1' ? 'vc' : 'v';
    const units = viewer.shown(recording, content);
    const pictures = stretchesOf(units, content);
    const sound = viewer.shown(recording === 'v1' ? 'a1' : 'ts', 'a');
    const sounds = stretchesOf(sound, 'a');
    checkOrder(pictures, form);
    expect(sounds.map(({ name }) => name)).toEqual(pictures.map(({ name }) => name));
    for (const [index, heard] of sounds.entries()) {
      const seen = pictures[index] as Stretch;
      // The same moment of the same file, at the begin and at the end of each stretch. The encoder begins with a unit that is not heard.
      const begin = (heard.first - 1) * UNIT_MS - seen.first * FRAME_MS;
      const end = (heard.first - 1 + heard.count) * UNIT_MS - (seen.first + seen.count) * FRAME_MS;
      expect([index, Math.abs(begin) <= STEP_MS, Math.abs(end) <= STEP_MS]).toEqual([index, true, true]);
      // Where times go on, they say the same.
      const stepMs = heard.startMs - (heard.first - 1) * UNIT_MS - (seen.startMs - seen.first * FRAME_MS);
      if (form === 'inside') expect([index, Math.abs(stepMs) <= STEP_MS]).toEqual([index, true]);
    }
    if (form === 'apart') return;
    for (const [list, lengthMs] of [[units, FRAME_MS] as const, [sound, UNIT_MS] as const])
      for (const [index, { ms }] of list.entries())
        if (index > 0) expect(Math.abs(ms - (list[index - 1]?.ms ?? 0) - lengthMs)).toBeLessThan(3);
  },
);

const PEER_KINDS = KINDS.filter(({ insertBy }) => IS_ALL || insertBy === 'splicing');

it.each(PEER_KINDS.flatMap((kind) => (['v1', 'ts'] as const).map((recording) => ({ ...kind, recording }))))(
  'shows GStreamer the same pictures, with clips $form, by $insertBy, from $recording',
  async ({ form, insertBy, recording }) => {
    const viewer = viewers.get(`${form} ${insertBy}`) as BreakViewer;
    const digests = await picturesByGst(`file://${viewer.playlist(recording)}`, FRAME_BYTES);
    const pictures = stretchesOf(
      digests.map((digest, index) => ({ digest, ms: index * FRAME_MS })),
      'v',
    );
    checkOrder(pictures, form);
    expect(digests).toHaveLength(viewer.shown(recording, form === 'apart' && recording === 'v1' ? 'vc' : 'v').length);
  },
);

// With clips apart VLC writes nothing of the last 200 ms before a discontinuity, because its multiplexer begins anew there: what it writes proves nothing about what it shows.
it.each(PEER_KINDS.filter(({ form }) => form === 'inside'))(
  'gives VLC the same pictures, and sound in step, with clips inside, by $insertBy',
  async ({ form, insertBy }) => {
    const viewer = viewers.get(`${form} ${insertBy}`) as BreakViewer;
    const taken = await unitsByVlc(viewer.playlist('ts'));
    // It does not write the last 200 ms.
    expect(viewer.shown('ts', 'v').length - taken.v.length).toBeLessThanOrEqual(5);
    const [pictures, sounds] = [stretchesOf(taken.v, 'v'), stretchesOf(taken.a, 'a')];
    checkOrder(pictures, form);
    expect(sounds.map(({ name }) => name)).toEqual(pictures.map(({ name }) => name));
    for (const [index, heard] of sounds.entries()) {
      const seen = pictures[index] as Stretch;
      const stepMs = heard.startMs - (heard.first - 1) * UNIT_MS - (seen.startMs - seen.first * FRAME_MS);
      expect([index, Math.abs(stepMs) <= STEP_MS]).toEqual([index, true]);
    }
  },
);

it.each(KINDS)('lists segments of pictures and sound that begin together, with clips $form, by $insertBy', (kind) => {
  const { placed, dash, segmentsWithParts } = viewers.get(`${kind.form} ${kind.insertBy}`) as BreakViewer;
  expect(placed.v1.size).toBeGreaterThan(SECONDS / 3);
  for (const [msn, video] of placed.v1) {
    const audio = placed.a1.get(msn);
    if (!audio) continue;
    const apartMs = audio.startMs - video.startMs;
    expect([msn, Math.abs(apartMs) <= STEP_MS]).toEqual([msn, true]);
    // A player that goes by the times of the media comes to the same, but for the unit before the begin of a clip.
    expect([msn, Math.abs(apartMs - audio.mediaMs + video.mediaMs) <= UNIT_MS + 1]).toEqual([msn, true]);
    const next = placed.v1.get(msn + 1);
    if (next) expect(Math.abs(next.startMs - video.startMs - video.durationMs)).toBeLessThanOrEqual(1);
  }
  // In DASH each segment begins where the one before ends.
  const listed = [...dash.values()];
  expect(listed.length).toBeGreaterThanOrEqual(placed.v1.size);
  for (const [index, { fromMs }] of listed.entries())
    if (index > 0) expect(Math.abs(fromMs - (listed[index - 1]?.toMs ?? 0))).toBeLessThan(FRAME_MS);
  expect(segmentsWithParts).toBeGreaterThan(0);
});
