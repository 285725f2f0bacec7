import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../../tests/helpers/clip-files.ts';
import { decodedFrames, decodeTogether } from '../../../tests/helpers/decoded-frames.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { gstClip } from '../../../tests/helpers/gst-clip.ts';
import { readFileChunk } from '../../../tests/helpers/mp4-file.ts';
import { mkvmergeClip } from '../../../tests/helpers/other-clips.ts';
import { readStrictMpd } from '../../../tests/helpers/strict-mpd.ts';
import { renderMpd } from '../../packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../../packaging/hls/media-playlist.ts';
import { WholeMp4 } from '../../packaging/mp4/whole-file.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import { OpenFiles, type OpenFile } from '../thread/open-files.ts';

// Files opened by the key frame index of their container give the same media as completely read files.

const SECONDS = 24;
const clips = new ClipFiles();
const fragmented = (flags: string): readonly string[] => [
  '-movflags',
  `+frag_keyframe+empty_moov+default_base_moof${flags}`,
];
const openGops = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-g',
  '50',
  '-bf',
  '3',
  '-x264-params',
  'open-gop=1:b-pyramid=1',
];

const FFMPEG: readonly (readonly [name: string, muxer: readonly string[]])[] = [
  ['fragments.mp4', fragmented('')],
  ['sidx.mp4', fragmented('+global_sidx+dash+skip_trailer')],
  ['negative.mp4', fragmented('+negative_cts_offsets')],
  ['film.mkv', []],
  ['late.mkv', ['-output_ts_offset', '3']],
  ['front.mkv', ['-cues_to_front', '1']],
  ['open.mkv', [...openGops, '-threads', '1', '-c:a', 'copy']],
  ['opus.mkv', ['-c:a', 'libopus']],
  ['film.ts', []],
  ['late.ts', ['-output_ts_offset', '95440']],
  ['sparse.ts', ['-pes_payload_size', '16000', '-muxrate', '2M']],
  ['film.m2ts', ['-mpegts_m2ts_mode', '1']],
];
const OTHERS = ['mkvmerge.mkv', 'groups.mkv', 'long.mkv', 'gst.mkv', 'gst.mp4', 'gst.ts'] as const;
const NAMES = [...FFMPEG.map(([name]) => name), ...OTHERS];

let listed: OpenFiles;
let outlined: OpenFiles;

/**
 * Timeout of hooks that run other programs, in milliseconds. Among all other tests, these programs only get idle CPU
 * time.
 */
const PEERS_MS = 180_000;

beforeAll(async () => {
  clips.add('plain.mp4', { seconds: SECONDS });
  for (const [name, muxer] of FFMPEG) clips.add(name, { seconds: SECONDS, muxer });
  const [plain, path] = [clips.path('plain.mp4'), (name: string): string => clips.path(name)];
  await Promise.all([
    mkvmergeClip(plain, path('mkvmerge.mkv')),
    mkvmergeClip(plain, path('groups.mkv'), ['--engage', 'no_simpleblocks']),
    // Key frames in the middle of clusters.
    mkvmergeClip(plain, path('long.mkv'), ['--cluster-length', '30000ms']),
    gstClip(plain, 'matroskamux', path('gst.mkv')),
    gstClip(plain, 'mp4mux fragment-duration=2000', path('gst.mp4')),
    gstClip(plain, 'mpegtsmux', path('gst.ts')),
  ]);
  listed = opened();
  outlined = opened(0);
}, PEERS_MS);

afterAll(async () => {
  await listed.close();
  await outlined.close();
  clips.close();
});

function opened(outlineFromBytes = Infinity): OpenFiles {
  const files = new OpenFiles({ clock: new FakeClock(), outlineFromBytes });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
  return files;
}

async function open(files: OpenFiles, name: string): Promise<OpenFile> {
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(`${name}: ${found.detail}`);
  return found;
}

function isOutlined({ window }: OpenFile): boolean {
  return window.tracks.every(({ track }) => window.segments(track.id)[0]?.segment.parts[0]?.ready !== undefined);
}

interface Unit {
  readonly digest: string;
  /** Time on the timeline of the window. */
  readonly ms: number;
  readonly dtsTicks: number;
  readonly isSync: boolean;
}

/** Units of the segments of a track, by segment number. @param order order in which segments are read */
async function unitsOf(
  { window }: OpenFile,
  trackId: string,
  order: (numbers: number[]) => number[],
): Promise<Unit[][]> {
  const segments = window.segments(trackId);
  const { timescale } = window.tracks.find(({ track }) => track.id === trackId)?.track ?? { timescale: 1 };
  const offsetMs = window.periods()[0]?.mediaOffsetMs ?? 0;
  const found: Unit[][] = segments.map(() => []);
  for (const number of order([...segments.keys()])) {
    const [part] = segments[number]?.segment.parts ?? [];
    if (!part) continue;
    found[number] = readFileChunk(await readMedia(part)).read.samples.map(({ data, ptsTicks, dtsTicks, isSync }) => ({
      digest: createHash('md5').update(data).digest('hex'),
      ms: (ptsTicks * 1000) / timescale - offsetMs,
      dtsTicks,
      isSync,
    }));
  }
  return found;
}

/** A complete file as one MP4. */
async function fileBytes(files: OpenFiles, name: string): Promise<Buffer> {
  const file = await WholeMp4.of((await open(files, name)).window);
  const pieces: Uint8Array[] = [];
  for await (const piece of file?.read(0, file.sizeBytes) ?? []) pieces.push(await readMedia(piece));
  return Buffer.concat(pieces);
}

beforeAll(async () => {
  const decoded = NAMES.filter((name) => name !== 'open.mkv');
  const files = decoded.flatMap((name) => [fileBytes(outlined, name), fileBytes(listed, name)]);
  decodeTogether((await Promise.all(files)).map((bytes) => ({ bytes, format: 'mp4' })));
}, PEERS_MS);

const inOrder = (numbers: number[]): number[] => numbers;

describe.each(NAMES)('%s opened by its outline', (name) => {
  it('has the same units as the completely read file, each once, for any order of requests', async () => {
    const [read, file] = [await open(listed, name), await open(outlined, name)];
    expect(isOutlined(file)).toBe(true);
    expect(file.window.tracks.map(({ track }) => track)).toEqual(read.window.tracks.map(({ track }) => track));
    expect(Math.abs(file.window.durationMs - read.window.durationMs)).toBeLessThan(50);
    for (const { track } of file.window.tracks) {
      const expected = (await unitsOf(read, track.id, inOrder)).flat();
      const segments = await unitsOf(file, track.id, (numbers) => numbers.toReversed());
      const all = segments.flat();
      // When read completely, a GStreamer file loses its first audio unit, which precedes the tables.
      const units = name === 'gst.ts' ? all.slice(-expected.length) : all;
      expect(units.map(({ digest }) => digest)).toEqual(expected.map(({ digest }) => digest));
      for (const [index, { ms }] of units.entries())
        expect(Math.abs(ms - (expected[index]?.ms ?? NaN))).toBeLessThan(3);
      for (const [index, { dtsTicks }] of units.entries())
        if (index > 0) expect(dtsTicks).toBeGreaterThan(units[index - 1]?.dtsTicks ?? NaN);
      expect(segments.every(([first]) => first?.isSync)).toBe(true);
    }
  });

  it('has segments that start at their playlist times and never change', async () => {
    const files = opened(0);
    const file = await open(files, name);
    const { window } = file;
    const texts = (): string[] => [
      ...window.tracks.map(({ track }) => renderMediaPlaylist(window, { trackId: track.id }) ?? ''),
      renderMpd(window, { nowMs: 0 }) ?? '',
    ];
    const before = texts();
    for (const { track } of window.tracks) {
      const units = await unitsOf(file, track.id, inOrder);
      const toleranceMs = track.content === 'video' ? 0.01 : 11;
      for (const [number, entry] of window.segments(track.id).entries()) {
        const startMs = (entry.segment.startTicks * 1000) / track.timescale - (window.periods()[0]?.mediaOffsetMs ?? 0);
        const first = Math.min(...(units[number] ?? []).map(({ ms }) => ms));
        // Pictures of an open GOP may be shown before the key frame that precedes them in decoding order.
        expect(
          Math.abs(startMs - (track.content === 'video' ? (units[number]?.[0]?.ms ?? NaN) : first)),
        ).toBeLessThanOrEqual(toleranceMs);
      }
    }
    expect(texts()).toEqual(before);
    readStrictMpd(before.at(-1) ?? '');
    await files.close();
  });

  it('decodes to the same pictures and audio', async () => {
    const [actual, expected] = [await fileBytes(outlined, name), await fileBytes(listed, name)];
    // ffmpeg 5 cannot decode open GOPs from the middle.
    if (name === 'gst.ts') expect(decodedFrames(actual, 'mp4').video).toEqual(decodedFrames(expected, 'mp4').video);
    else if (name !== 'open.mkv') expect(decodedFrames(actual, 'mp4')).toEqual(decodedFrames(expected, 'mp4'));
  });
});

describe('a file whose index is wrong', () => {
  it.each(['film.mkv', 'fragments.mp4'])('%s plays like a file without an index', async (name) => {
    const bytes = readFileSync(clips.path(name));
    const at = name.endsWith('mkv')
      ? bytes.lastIndexOf(Buffer.from([0x1c, 0x53, 0xbb, 0x6b]))
      : bytes.lastIndexOf('tfra');
    // Offsets or times that do not belong to key frames.
    const changed = Buffer.from(bytes);
    for (let index = at + 30; index < bytes.length - 16; index += 7) changed[index] = (changed[index] ?? 0) ^ 0x05;
    writeFileSync(clips.path(`changed-${name}`), changed);
    const digests = async (files: OpenFiles, one: string): Promise<string[]> =>
      (await unitsOf(await open(files, one), 'v1', inOrder)).flat().map(({ digest }) => digest);
    expect(await digests(outlined, `changed-${name}`)).toEqual(await digests(listed, name));
  });

  it.each(['film.mkv', 'fragments.mp4'])('%s that is truncated plays up to its end', async (name) => {
    copyFileSync(clips.path(name), clips.path(`cut-${name}`));
    truncateSync(clips.path(`cut-${name}`), readFileSync(clips.path(name)).length >> 1);
    const file = await open(outlined, `cut-${name}`);
    expect(isOutlined(file)).toBe(false);
    expect((await unitsOf(file, 'v1', inOrder)).flat().length).toBeGreaterThan(SECONDS * 8);
  });

  it.each(['film.mkv', 'fragments.mp4', 'sidx.mp4'])(
    '%s with any changed bytes is refused, or each segment is read or fails',
    async (name) => {
      const bytes = readFileSync(clips.path(name));
      let number = 0;
      const place = fc.oneof(fc.nat(4000), fc.integer({ min: bytes.length - 3000, max: bytes.length - 1 }));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 8 }), async (changes) => {
          const changed = Buffer.from(bytes);
          for (const [at, value] of changes) changed[at] = value;
          const one = `any-${number++}-${name}`;
          writeFileSync(clips.path(one), changed);
          const files = opened(0);
          const found = await files.open(`clips/${one}`);
          if ('window' in found)
            for (const { track } of found.window.tracks)
              for (const { segment } of found.window.segments(track.id).slice(0, 2))
                for (const part of segment.parts) await readMedia(part).catch(() => undefined);
          await files.close();
        }),
        { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 15) },
      );
    },
  );
});

describe('a transport stream that changes after its first megabytes', () => {
  const half = ['-t', '11', '-muxrate', '3M'];
  it.each([
    { change: 'the identifiers of its streams', args: ['-mpegts_start_pid', '0x300'], canOutline: false },
    { change: 'the identifier of its map', args: ['-mpegts_pmt_start_pid', '0x1100'], canOutline: false },
    { change: 'its programme number', args: ['-mpegts_service_id', '7'], canOutline: false },
    { change: 'its number of audio tracks', args: ['-map', '0', '-map', '0:a'], canOutline: false },
    { change: 'nothing', args: [], canOutline: true },
    { change: 'the version of its tables', args: ['-tables_version', '5'], canOutline: true },
  ])('plays to its end: $change', async ({ args, canOutline }) => {
    const name = `changing${args.join('')}.ts`.replaceAll(':', '');
    const parts = [half, [...half, '-output_ts_offset', '11.2', ...args]].map((muxer, index) =>
      readFileSync(clips.add(`${index}-${name}`, { seconds: SECONDS, muxer })),
    );
    expect(parts[0]?.length).toBeGreaterThan(3 << 20);
    writeFileSync(clips.path(name), Buffer.concat(parts));
    const [actual, expected] = [await open(outlined, name), await open(listed, name)];
    expect(isOutlined(actual)).toBe(canOutline);
    const digests = async (file: OpenFile): Promise<string[]> =>
      (await unitsOf(file, 'v1', inOrder)).flat().map(({ digest }) => digest);
    const pictures = await digests(expected);
    expect(await digests(actual)).toEqual(pictures);
    expect(pictures.length).toBeGreaterThanOrEqual(22 * 25);
  });
});
