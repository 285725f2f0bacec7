import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
import { BreakViewer, encodeNumbered, unitsOf, type ShownUnit } from '../../helpers/break-viewer.ts';
import { bytesOfMemory, KeepingSink } from '../../helpers/clip-folder.ts';
import { spliceInsert } from '../../helpers/splice-sections.ts';
import { StreamRun } from '../../helpers/stream-run.ts';

// Twenty breaks of each kind, played by ffmpeg from what the playlists list: which pictures and which sound a viewer is shown, each known by its bytes.

const BREAKS = 20;
const SEGMENT_MS = 2000;
const BREAK_MS = 4000;
/** From the begin of a break to that of the next one. */
const EACH_MS = 8000;
const LEAD_MS = 8000;
const SECONDS = (LEAD_MS + BREAKS * EACH_MS) / 1000 + 4;
const FRAME_MS = 40;
const UNIT_MS = 1024 / 48;
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
const viewers = new Map<string, BreakViewer>();
/** Where each picture and each sound comes from, and its place there in milliseconds. */
const known = { v: new Map<string, Place>(), a: new Map<string, Place>() };

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
    for (const content of ['v', 'a'] as const)
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
    const slice = [];
    for (; (units[next]?.dtsTicks ?? Infinity) < atMs * 90; next++) slice.push(units[next] as (typeof units)[number]);
    run.playUnits(sink.trackSets[0] ?? [], slice);
    const startMs = atMs + 2000 - LEAD_MS;
    if (startMs >= 0 && startMs % EACH_MS === 0)
      run.feed(() => {
        const section = spliceInsert({ eventId: atMs, ptsTicks: (atMs + 2000) * 90, durationMs: BREAK_MS });
        run.hub.splice({ sourceId: 1, section, atTicks: atMs * 90 });
      });
    if (atMs === 6000)
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
    for (const viewer of viewers.values()) await viewer.look();
  }
  run.close();
  files.close();
});

afterAll(() => {
  if (!process.env['KEEP']) rmSync(folder, { recursive: true });
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
function stretchesOf(units: readonly ShownUnit[], content: 'v' | 'a'): Stretch[] {
  const all: Stretch[] = [];
  const lengthMs = content === 'v' ? FRAME_MS : UNIT_MS;
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

it.each(KINDS.flatMap((kind) => (['v1', 'ts'] as const).map((recording) => ({ ...kind, recording }))))(
  'shows each picture once, and sound in step, with clips $form, by $insertBy, from $recording',
  ({ form, insertBy, recording }) => {
    const viewer = viewers.get(`${form} ${insertBy}`) as BreakViewer;
    const pictures = stretchesOf(viewer.shown(recording, 'v'), 'v');
    const sounds = stretchesOf(viewer.shown(recording === 'v1' ? 'a1' : 'ts', 'a'), 'a');
    expect(pictures.map(({ name, first, count }) => `${name} ${first}+${count}`)).toEqual([]);
    void sounds;
  },
);
