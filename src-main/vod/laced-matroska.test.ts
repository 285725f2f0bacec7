import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { decodeAll, outputsOf, type NamedBytes } from '../../tests/helpers/decoded-outputs.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { lacedMkv, type LacedForm } from '../../tests/helpers/laced-mkv.ts';
import { renderMediaPlaylist } from '../packaging/hls/media-playlist.ts';
import { OpenFiles } from './thread/open-files.ts';

// A file with several frames per block gives the same media as the same file with one frame per block.

const SECONDS = 8;
const clips = new ClipFiles();
let listed: OpenFiles;
let outlined: OpenFiles;

beforeAll(() => {
  listed = opened();
  outlined = opened(0);
});

afterAll(async () => {
  await listed.close();
  await outlined.close();
  clips.close();
});

function opened(outlineFromBytes?: number): OpenFiles {
  const files = new OpenFiles({
    clock: new FakeClock(),
    ...(outlineFromBytes === undefined ? {} : { outlineFromBytes }),
  });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);
  return files;
}

async function mediaOf(files: OpenFiles, name: string): Promise<NamedBytes[]> {
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(found.detail);
  return (await outputsOf(found.window)).filter((output) => output.name.startsWith('fMP4'));
}

/** Stream index and size of each packet, as listed by ffprobe. */
function probedSizes(path: string): string[] {
  const shown = ['-show_entries', 'packet=stream_index,size', '-of', 'csv=p=0'];
  const lines = execFileSync('ffprobe', ['-v', 'error', ...shown, path], { encoding: 'utf8' });
  return (lines.match(/^\d,\d+/gm) ?? []).sort();
}

/** Number of values, and the first that differ, so that a failure message is short. */
function differenceOf(given: readonly unknown[], found: readonly unknown[]): unknown {
  const at = given.findIndex((value, index) => JSON.stringify(value) !== JSON.stringify(found[index]));
  return { given: given.length, found: found.length, first: at < 0 ? undefined : [given[at], found[at]] };
}

function sameAs({ length }: readonly unknown[]): unknown {
  return { given: length, found: length, first: undefined };
}

const CODECS: Readonly<Record<string, readonly string[]>> = {
  intra: ['-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-g', '1'],
  aac: ['-c:a', 'copy'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  ac3: ['-c:a', 'ac3', '-b:a', '192k'],
  opus: ['-c:a', 'libopus', '-frame_duration', '20'],
  opus60: ['-c:a', 'libopus', '-frame_duration', '60'],
};
const AUDIO = { trackNumber: 2 } as const;

const VIDEO = { trackNumber: 1 } as const;

const CASES: readonly (readonly [codec: string, named: string, form: LacedForm])[] = [
  ['aac', 'xiph', { ...AUDIO, lacing: 'xiph', frames: 8 }],
  ['aac', 'ebml', { ...AUDIO, lacing: 'ebml', frames: 8 }],
  ['aac', 'ebml-groups', { ...AUDIO, lacing: 'ebml', frames: 5, group: {}, isWithoutDurations: true }],
  ['mp3', 'xiph-bare', { ...AUDIO, lacing: 'xiph', frames: 8, isWithoutDurations: true }],
  ['ac3', 'fixed', { ...AUDIO, lacing: 'fixed', frames: 8 }],
  [
    'ac3',
    'fixed-groups',
    { ...AUDIO, lacing: 'fixed', frames: 3, group: { frameUnits: 32 }, isWithoutDurations: true },
  ],
  ['opus', 'ebml', { ...AUDIO, lacing: 'ebml', frames: 10, isWithoutDurations: true }],
  ['opus60', 'xiph', { ...AUDIO, lacing: 'xiph', frames: 4, isWithoutDurations: true }],
  ['opus', 'discarded', { ...AUDIO, lacing: 'xiph', frames: 4, discardNs: 6_500_000 }],
  ['intra', 'ebml', { ...VIDEO, lacing: 'ebml', frames: 5, isWithoutDurations: true }],
  ['opus60', 'groups', { ...AUDIO, lacing: 'ebml', frames: 4, group: { frameUnits: 60 }, isWithoutDurations: true }],
];

describe.each(CASES)('a Matroska file with %s laced as %s', (codec, named, form) => {
  const name = `${codec}-${named}.mkv`;

  beforeAll(() => {
    const plain = clips.add(`${codec}.mkv`, { seconds: SECONDS, muxer: CODECS[codec] ?? [] });
    writeFileSync(clips.path(name), lacedMkv(readFileSync(plain), form));
    const sizes = probedSizes(plain);
    expect(differenceOf(sizes, probedSizes(clips.path(name)))).toEqual(sameAs(sizes));
  });

  it.each(['listed', 'outlined'])('plays like the same file without lacing, %s', async (way) => {
    const files = way === 'listed' ? listed : outlined;
    const given = await mediaOf(listed, `${codec}.mkv`);
    const found = await mediaOf(files, name);
    const { files: decoded } = decodeAll([...given, ...found]);
    const one = decoded.slice(0, given.length);
    const other = decoded.slice(given.length);
    for (const content of ['video', 'audio'] as const) {
      const digests = one.flatMap((file) => file[content].digests);
      expect(digests.length).toBeGreaterThan(100);
      expect(
        differenceOf(
          digests,
          other.flatMap((file) => file[content].digests),
        ),
      ).toEqual(sameAs(digests));
      const times = one.flatMap((file) => file[content].packets);
      const others = other.flatMap((file) => file[content].packets);
      expect(differenceOf(times, others)).toEqual(sameAs(times));
    }
  });
});

it.each(['listed', 'outlined'])(
  'the duration of a Matroska file excludes the audio that the last block discards, %s',
  async (way) => {
    const plain = readFileSync(clips.add('opus.mkv', { seconds: SECONDS, muxer: CODECS['opus'] ?? [] }));
    const [whole = 0, shorter = 0] = await Promise.all(
      [0, 7_000_000].map(async (discardNs) => {
        const name = `discard-${discardNs}.mkv`;
        writeFileSync(clips.path(name), lacedMkv(plain, { ...AUDIO, lacing: 'ebml', frames: 4, discardNs }));
        const found = await (way === 'listed' ? listed : outlined).open(`clips/${name}`);
        if ('code' in found) throw new Error(found.detail);
        const playlist = renderMediaPlaylist(found.window, { trackId: 'a1' }) ?? '';
        return [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
      }),
    );
    expect(whole).toBeGreaterThan(SECONDS);
    expect(whole - shorter).toBeCloseTo(0.007, 3);
  },
);
