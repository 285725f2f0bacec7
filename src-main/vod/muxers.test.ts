import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxClip } from '../../tests/helpers/box-clip.ts';
import { withEdit, withShortLengths } from '../../tests/helpers/changed-mp4.ts';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { decodedFrames, decodeTogether, type DecodedFrames } from '../../tests/helpers/decoded-frames.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { gstClip } from '../../tests/helpers/gst-clip.ts';
import { probeMade } from '../../tests/helpers/made-media.ts';
import { mkvmergeClip, vlcClip } from '../../tests/helpers/other-clips.ts';
import { readMp4 } from '../../tests/helpers/mp4-file.ts';
import { readBoxes } from '../media/containers/isobmff/box.ts';
import { readMovie } from '../media/containers/isobmff/movie.ts';
import { readSegmentIndex } from '../media/containers/isobmff/segment-index.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import { WholeMp4 } from '../packaging/mp4/whole-file.ts';
import { readMedia } from '../segment/media-bytes.ts';
import { OpenFiles, type OpenFile } from './thread/open-files.ts';

// Files of other muxers and their edit lists: tracks, durations and pictures equal those that ffprobe and ffmpeg
// report.

const SECONDS = 8;
/** Bytes of a decoded picture of 160 × 90. */
const PICTURE_BYTES = (160 * 90 * 3) / 2;
const clips = new ClipFiles();
let files: OpenFiles;

const GST: readonly (readonly [name: string, muxer: string])[] = [
  ['gst.mp4', 'mp4mux'],
  ['gst-fast.mp4', 'mp4mux faststart=true'],
  ['gst-dash.mp4', 'mp4mux fragment-duration=1000'],
  ['gst-finalised.mp4', 'mp4mux fragment-duration=1000 fragment-mode=first-moov-then-finalise'],
  ['gst.mov', 'qtmux fragment-duration=500 streamable=true'],
  ['gst-moov.mov', 'qtmux'],
  ['gst-smooth.ismv', 'ismlmux fragment-duration=1000'],
  ['gst.mkv', 'matroskamux'],
  ['gst-live.mkv', 'matroskamux streamable=true'],
  ['gst.ts', 'mpegtsmux'],
  ['gst.m2ts', 'mpegtsmux m2ts-mode=true'],
];

/** VLC drops the last pictures of its input, so the expected values come from its output files. */
const OTHERS = [
  'mkvmerge.mkv',
  'mkvmerge-short.mkv',
  'mkvmerge-groups.mkv',
  'vlc.ts',
  'vlc.mp4',
  'mp4box.mp4',
  'mp4box-fine.mp4',
];

beforeAll(async () => {
  clips.add('plain.mp4', { seconds: SECONDS });
  const muxed = [
    mkvmergeClip(clips.path('plain.mp4'), clips.path('mkvmerge.mkv')),
    // Clusters of half a second, without cues.
    mkvmergeClip(clips.path('plain.mp4'), clips.path('mkvmerge-short.mkv'), ['--cluster-length', '500ms', '--no-cues']),
    // All blocks in groups, each with its duration.
    mkvmergeClip(clips.path('plain.mp4'), clips.path('mkvmerge-groups.mkv'), ['--engage', 'no_simpleblocks']),
    vlcClip(clips.path('plain.mp4'), 'ts', clips.path('vlc.ts')),
    vlcClip(clips.path('plain.mp4'), 'mp4', clips.path('vlc.mp4')),
    ...GST.map(async ([name, muxer]) => gstClip(clips.path('plain.mp4'), muxer, clips.path(name))),
  ];
  boxClip(clips.path('plain.mp4'), 1000, clips.path('mp4box.mp4'));
  // Fragments of four samples.
  boxClip(clips.path('plain.mp4'), 4, clips.path('mp4box-fine.mp4'));
  await Promise.all(muxed);
  files = new OpenFiles({ clock: new FakeClock() });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);
});

afterAll(async () => {
  await files.close();
  clips.close();
});

async function open(name: string): Promise<OpenFile> {
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(`${name}: ${found.detail}`);
  return found;
}

/** The complete file as one MP4. */
async function fileBytes({ window }: OpenFile): Promise<Buffer> {
  const file = await WholeMp4.of(window);
  if (!file) throw new Error('there is nothing to play');
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read(0, file.sizeBytes)) pieces.push(await readMedia(piece));
  return Buffer.concat(pieces);
}

/** Frames that a player decodes from the complete file. */
async function shown(file: OpenFile): Promise<DecodedFrames> {
  return decodedFrames(await fileBytes(file), 'mp4');
}

/** Coded pictures of a file with `moov` tables. */
function picturesOf(file: Buffer): Buffer[] {
  const at = file.indexOf('moov') - 4;
  const cursor = readMovie(file.subarray(at, at + file.readUInt32BE(at)))?.tracks[0]?.samples();
  const found: Buffer[] = [];
  while (cursor?.next()) found.push(file.subarray(cursor.offset, cursor.offset + cursor.sizeBytes));
  return found;
}

interface Probed {
  readonly format: { readonly duration: string };
  readonly streams: readonly {
    readonly codec_name: string;
    readonly width?: number;
    readonly height?: number;
    readonly sample_rate?: string;
    readonly channels?: number;
  }[];
}

function probe(name: string): Probed {
  const entries = 'stream=codec_name,width,height,sample_rate,channels:format=duration';
  const probed = { folder: clips.folder, files: [name] };
  return JSON.parse(probeMade(probed, ['-show_entries', entries, '-of', 'json', name])) as Probed;
}

/**
 * Hashes of the pictures that ffmpeg decodes from each file, without times, because the first timestamps of VLC go back
 * and forth.
 */
function rawPictures(...names: readonly string[]): string[][] {
  const outputs = names.map((name) => clips.path(`${name}.raw`));
  execFileSync('ffmpeg', [
    '-v',
    'quiet',
    '-nostdin',
    '-y',
    ...names.flatMap((name) => ['-i', clips.path(name)]),
    ...outputs.flatMap((to, at) => ['-map', `${at}:v`, '-fps_mode', 'passthrough', '-f', 'rawvideo', to]),
  ]);
  return outputs.map((output) => {
    const bytes = readFileSync(output);
    return Array.from({ length: bytes.length / PICTURE_BYTES }, (_, index) =>
      createHash('md5')
        .update(bytes.subarray(index * PICTURE_BYTES, (index + 1) * PICTURE_BYTES))
        .digest('hex'),
    );
  });
}

/** Tracks of a file as `probe` lists them. */
function tracksOf({ window }: OpenFile): readonly Probed['streams'][number][] {
  return window.tracks.map(({ track }) =>
    track.content === 'video'
      ? { codec_name: track.codec, width: track.width, height: track.height }
      : { codec_name: track.codec, sample_rate: String(track.sampleRate), channels: track.channels },
  );
}

describe('a file muxed by GStreamer', () => {
  beforeAll(async () => {
    const files = await Promise.all(GST.map(async ([name]) => fileBytes(await open(name))));
    decodeTogether([...files, readFileSync(clips.path('plain.mp4'))].map((bytes) => ({ bytes, format: 'mp4' })));
  });

  it.each(GST.map(([name]) => name))('%s has the tracks, duration and pictures of its source', async (name) => {
    const file = await open(name);
    expect(tracksOf(file)).toEqual(probe(name).streams.slice(0, 2));
    expect(Math.abs(file.window.durationMs - SECONDS * 1000)).toBeLessThan(200);
    const { video } = await shown(file);
    const original = decodedFrames(readFileSync(clips.path('plain.mp4')), 'mp4');
    expect(video).toEqual(original.video);
  });
});

describe('a file muxed by another program', () => {
  it.each(OTHERS)('%s has the tracks, duration and pictures that ffprobe reports', async (name) => {
    const file = await open(name);
    const { streams, format } = probe(name);
    expect(tracksOf(file)).toEqual(streams.toSorted((a) => (a.width === undefined ? 1 : -1)));
    expect(Math.abs(file.window.durationMs - Number(format.duration) * 1000)).toBeLessThan(200);
    writeFileSync(clips.path('whole.mp4'), await fileBytes(file));
    const [pictures = [], expected] = rawPictures('whole.mp4', name);
    expect(pictures.length).toBeGreaterThan((SECONDS - 1) * 25);
    expect(pictures).toEqual(expected);
  });
});

describe('an edit list', () => {
  it('that starts inside the media hides earlier media, except pictures needed for decoding', async () => {
    const plain = readFileSync(clips.path('plain.mp4'));
    // Pictures of 640 ticks. The first is shown two pictures after its decode time. Key frames every 50 pictures.
    const inside = withEdit(withEdit(plain, 0, { mediaTicks: 112 * 640 }), 1, { mediaTicks: 211_200 });
    writeFileSync(clips.path('inside.mp4'), inside);
    const file = await open('inside.mp4');
    expect(file.window.segments('v1')).toHaveLength(2);
    const offsetMs = file.window.periods()[0]?.mediaOffsetMs ?? 0;
    const { movie, chunks } = readMp4(await fileBytes(file));
    const pictures = chunks.flatMap(({ trackNumber, samples }) => (trackNumber === 1 ? samples : []));
    expect(pictures.map(({ data }) => data)).toEqual(picturesOf(plain).slice(100));
    const scale = (movie?.tracks[0]?.timescale ?? 0) / 1000;
    // The audio starts half a picture earlier.
    expect(pictures.filter(({ ptsTicks }) => ptsTicks / scale - offsetMs > -25)).toHaveLength(91);
    // The edit list of the generated file hides the same media, and HLS players start after it.
    const shiftTicks = movie?.tracks[0]?.shiftTicks ?? NaN;
    const visible = pictures.filter(({ ptsTicks }) => ptsTicks + shiftTicks >= 0);
    expect(visible).toHaveLength(decodedFrames(inside, 'mp4').video.length);
    expect(renderMediaPlaylist(file.window, { trackId: 'v1' })).toContain('#EXT-X-START:TIME-OFFSET=0.379,PRECISE=YES');
  });

  it.each(['plain.mp4', 'inside.mp4', 'delayed.mp4'])(
    'is considered in the duration and the index of the file: %s',
    async (name) => {
      const plain = readFileSync(clips.path('plain.mp4'));
      const inside = withEdit(withEdit(plain, 0, { mediaTicks: 112 * 640 }), 1, { mediaTicks: 211_200 });
      writeFileSync(clips.path('inside.mp4'), inside);
      const later = ['-itsoffset', '0.7', '-i', clips.path('plain.mp4'), '-c', 'copy', '-y', clips.path('delayed.mp4')];
      execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...later]);
      const file = await open(name);
      const bytes = await fileBytes(file);
      const { durationMs } = file.window;
      expect(Number(bytes.readBigUInt64BE(bytes.indexOf('mehd') + 8))).toBe(durationMs);
      const indexes = readBoxes(bytes).flatMap(({ type, start, end }) =>
        type === 'sidx' ? (readSegmentIndex(bytes.subarray(start, end)) ?? []) : [],
      );
      expect(indexes).toHaveLength(2);
      for (const { startTicks, timescale, ranges } of indexes) {
        const endTicks = ranges.reduce((sum, { durationTicks }) => sum + durationTicks, startTicks);
        expect(Math.abs((endTicks * 1000) / timescale - durationMs)).toBeLessThanOrEqual(1);
        const startsAt = name === 'delayed.mp4' ? 0.7 : 0;
        expect(Math.abs(startTicks / timescale - startsAt)).toBeLessThan(0.03);
      }
    },
  );

  it('that starts with the first picture hides nothing', async () => {
    const { window } = await open('plain.mp4');
    expect(renderMediaPlaylist(window, { trackId: 'v1' })).not.toContain('EXT-X-START');
  });

  it('that ends early hides the rest', async () => {
    const plain = readFileSync(clips.path('plain.mp4'));
    const pictures = decodedFrames(plain, 'mp4').video;
    const early = withEdit(withEdit(plain, 0, { durationTicks: 3000 }), 1, { durationTicks: 3000 });
    writeFileSync(clips.path('early.mp4'), early);
    const file = await open('early.mp4');
    expect(Math.abs(file.window.durationMs - 3000)).toBeLessThan(150);
    const { video } = await shown(file);
    // A few pictures that others reference remain.
    expect(video.slice(0, 75)).toEqual(pictures.slice(0, 75));
    expect(video.length).toBeLessThanOrEqual(78);
  });
});

describe('NAL units with length fields', () => {
  it.each([1, 2] as const)('of %i byte play like those with four-byte lengths', async (lengthBytes) => {
    const small = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '45', '-s', '32x32'];
    // An encoder that writes its settings as SEI needs more than 255 bytes for them.
    clips.add('small.mp4', { seconds: SECONDS, muxer: [...small, '-bsf:v', 'filter_units=remove_types=6'] });
    const plain = readFileSync(clips.path('small.mp4'));
    const name = `short-${lengthBytes}.mp4`;
    writeFileSync(clips.path(name), withShortLengths(plain, lengthBytes));
    const expected = decodedFrames(plain, 'mp4').video;
    expect(decodedFrames(readFileSync(clips.path(name)), 'mp4').video).toEqual(expected);
    expect((await shown(await open(name))).video).toEqual(expected);
  });
});
