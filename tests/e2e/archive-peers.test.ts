import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { gstSeeks } from '../helpers/gst-seeks.ts';
import { allPicturesBy, type Peer } from '../helpers/peer-pictures.ts';
import { until } from '../helpers/until.ts';
import { writeArchive, type ArchiveStep } from '../helpers/written-archive.ts';

// Recorded media in ffmpeg, GStreamer and VLC: over a gap, a switch of inputs and a change of format, in every
// supported form.

const HALF_SECONDS = 6;
const GAP_SECONDS = 20;
/** Number of pictures before the event, and after it. */
const HALF = HALF_SECONDS * 5;
const KINDS = {
  gap: [{ seconds: HALF_SECONDS }, { idleMs: GAP_SECONDS * 1000 }, { seconds: HALF_SECONDS }],
  switch: [{ seconds: HALF_SECONDS }, { seconds: HALF_SECONDS }],
  format: [{ seconds: HALF_SECONDS }, { seconds: HALF_SECONDS, lines: 360 }],
  both: [{ seconds: HALF_SECONDS }, { idleMs: GAP_SECONDS * 1000 }, { seconds: HALF_SECONDS, lines: 360 }],
} as const satisfies Record<string, readonly ArchiveStep[]>;
type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as readonly Kind[];
const SAME_FORMAT: readonly Kind[] = ['gap', 'switch'];

/** Forms that a player plays over the event to the end; docs/reference/playback.md lists the other forms. */
const PLAYED: readonly (readonly [peer: Peer, form: string, kinds: readonly Kind[]])[] = [
  ['ffmpeg', 'ts.m3u8', ALL],
  ['ffmpeg', 'ts', ALL],
  ['ffmpeg', 'm3u8', ALL],
  ['ffmpeg', 'mpd?period=mono', SAME_FORMAT],
  ['ffmpeg', 'mp4', ALL],
  ['gstreamer', 'ts.m3u8', ALL],
  ['gstreamer', 'ts', ALL],
  ['gstreamer', 'mpd', ALL],
  ['gstreamer', 'm3u8', SAME_FORMAT],
  ['gstreamer', 'mp4', ALL],
  ['vlc', 'ts.m3u8', ALL],
  ['vlc', 'ts', ALL],
  ['vlc', 'mpd', ALL],
  ['vlc', 'mp4', ALL],
];

let server: AirdeskProcess;
let fromSeconds = 0;

beforeAll(async () => {
  server = await AirdeskProcess.start('dvr main { root archive; disk one; }');
  fromSeconds = Math.floor(Date.now() / 1000) - 600;
  for (const kind of ALL) {
    await writeArchive(join(server.folder, 'data/archive/one'), kind, fromSeconds * 1000, KINDS[kind]);
    const added = await fetch(`${server.url}/streamer/api/v3/streams/${kind}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ inputs: [{ url: 'publish://' }], dvr: { root: '@main', expiration: 604_800 } }),
    });
    expect(added.status).toBe(200);
  }
  for (const kind of ALL)
    await until(
      `the archive ${kind}`,
      async () => secondsOf(await (await fetch(address(kind, 'm3u8', 'v1/'))).text()) === 2 * HALF_SECONDS,
      20_000,
      () => server.printed,
    );
});

afterAll(async () => {
  await server.dispose();
});

function address(kind: Kind, form: string, track = ''): string {
  return `${server.url}/${kind}/${track}archive-${fromSeconds - 5}-100.${form}`;
}

function secondsOf(playlist: string): number {
  return Math.round(
    [...playlist.matchAll(/#EXTINF:([0-9.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0),
  );
}

it.each(['ffmpeg', 'gstreamer', 'vlc'] as const)(
  '%s plays recorded media over a gap, a switch of inputs and a change of format',
  async (name) => {
    const expected = PLAYED.flatMap(([peer, form, kinds]) =>
      peer === name ? kinds.map((kind) => [kind, form] as const) : [],
    );
    const shown = await allPicturesBy(
      name,
      expected.map(([kind, form]) => address(kind, form)),
    );
    const found = expected.map(([kind, form], index) => [kind, form, shown[index] ?? 0] as const);
    // VLC omits the last pictures, and more of them on a busy machine: VLC has continued if it shows most of the
    // pictures after the event.
    const least = name === 'vlc' ? HALF + Math.ceil(HALF / 2) : 2 * HALF - 1;
    expect(found.filter(([, , pictures]) => pictures < least)).toEqual([]);
  },
  240_000,
);

it('ffmpeg decodes media after a change of format with its own parameter sets, in fragmented MP4', async () => {
  const frames = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'frame=width', '-of', 'csv=p=0'];
  const { stdout, stderr } = await promisify(execFile)('ffprobe', [...frames, address('format', 'm3u8')]);
  const widths = stdout.split('\n').map((line) => Number.parseInt(line, 10));
  expect([320, 640].map((expectedWidth) => widths.filter((width) => width === expectedWidth).length)).toEqual([
    HALF,
    HALF,
  ]);
  expect(stderr).not.toMatch(/error while decoding|non-existing|no frame/);
});

it('GStreamer seeks to times before and after a gap, a switch and a change of format, in MPEG-TS and in one DASH Period', async () => {
  // In MPEG-TS a gap has no duration. After a seek backwards, GStreamer 1.22 shows a picture up to 0.7 s after the
  // requested time.
  const OFF_SECONDS = 0.75;
  const times = [HALF_SECONDS + 3, 2, HALF_SECONDS + 1];
  const found = await Promise.all(
    ALL.map(async (kind) => {
      const shown = await gstSeeks(address(kind, 'ts.m3u8'), times);
      const isThere = shown.map(({ seconds }, index) => Math.abs(seconds - (times[index] ?? 0)) <= OFF_SECONDS);
      return [kind, isThere, shown.map(({ lines }) => lines)];
    }),
  );
  expect(found).toEqual(
    ALL.map((kind) => {
      const late = SAME_FORMAT.includes(kind) ? 180 : 360;
      return [kind, [true, true, true], [late, 180, late]];
    }),
  );
  // In one Period a gap has its real duration, and a change of format is impossible.
  const inOne = await Promise.all(
    SAME_FORMAT.map(async (kind) => {
      const gapSeconds = kind === 'gap' ? GAP_SECONDS : 0;
      const expected = [HALF_SECONDS + gapSeconds + 3, 2, HALF_SECONDS + gapSeconds + 1];
      const shown = await gstSeeks(address(kind, 'mpd?period=mono'), expected);
      return shown.map(({ seconds }, index) => Math.abs(seconds - (expected[index] ?? 0)) < 0.25);
    }),
  );
  expect(inOne).toEqual(SAME_FORMAT.map(() => [true, true, true]));
}, 90_000);
