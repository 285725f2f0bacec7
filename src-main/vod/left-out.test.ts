import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { OpenFiles } from './thread/open-files.ts';

const clips = new ClipFiles();
const clock = new FakeClock();

afterAll(() => {
  clips.close();
});

it.each([
  ['with tables', 'film.mp4', [], Infinity],
  ['with fragments', 'fragments.mp4', ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'], Infinity],
  ['with an outline', 'outlined.mp4', ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'], 0],
] as const)('an MP4 file %s reports its omitted encrypted track', async (_, name, muxer, outlineFromBytes) => {
  const path = clips.add(name, { seconds: 4, muxer });
  const bytes = readFileSync(path);
  bytes.write('enca', bytes.indexOf('mp4a', bytes.indexOf('stsd')));
  writeFileSync(path, bytes);
  const files = new OpenFiles({ clock, outlineFromBytes });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);
  const found = await files.open(`clips/${name}`);
  await files.close();
  expect(found).toMatchObject({ leftOut: [{ content: 'audio', isEncrypted: true }] });
  expect('window' in found && found.window.tracks.map(({ track }) => track.content)).toEqual(['video']);
});

it('the index on disk keeps the omitted tracks', async () => {
  const path = clips.add('stored.mp4', { seconds: 4, muxer: ['-movflags', '+frag_keyframe+empty_moov'] });
  const bytes = readFileSync(path);
  bytes.write('enca', bytes.indexOf('mp4a', bytes.indexOf('stsd')));
  writeFileSync(path, bytes);
  for (let run = 0; run < 2; run++) {
    const files = new OpenFiles({ clock, storeFolder: `${clips.folder}/index` });
    files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);
    expect(await files.open('clips/stored.mp4')).toMatchObject({ leftOut: [{ isEncrypted: true }] });
    await files.close();
  }
});

/** Sets `transport_scrambling_control` of the packets of a PID (ISO/IEC 13818-1, 2.4.3.3). */
function scramble(path: string, pid: number): void {
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += 188)
    if ((bytes.readUInt16BE(at + 1) & 0x1fff) === pid) bytes[at + 3]! |= 0x80;
  writeFileSync(path, bytes);
}

it.each([
  ['MPEG-TS with scrambled audio', 'scrambled.ts', [], Infinity, { codec: 'AAC', isEncrypted: true }],
  [
    'MPEG-TS with scrambled audio, with an outline',
    'scrambled-outlined.ts',
    [],
    0,
    { codec: 'AAC', isEncrypted: true },
  ],
  ['MPEG-TS with LATM', 'latm.ts', ['-mpegts_flags', 'latm'], Infinity, { codec: 'AAC in LATM' }],
  ['MPEG-TS with LATM, with an outline', 'latm-outlined.ts', ['-mpegts_flags', 'latm'], 0, { codec: 'AAC in LATM' }],
  ['MKV with FLAC', 'flac.mkv', ['-c:a', 'flac'], Infinity, { codec: 'FLAC' }],
  ['MKV with FLAC, with an outline', 'flac-outlined.mkv', ['-c:a', 'flac'], 0, { codec: 'FLAC' }],
] as const)('a file of %s reports its omitted track', async (_, name, muxer, outlineFromBytes, expected) => {
  const path = clips.add(name, { seconds: 6, muxer });
  if (name.startsWith('scrambled')) scramble(path, 257);
  const files = new OpenFiles({ clock, outlineFromBytes });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 2000 }]);
  const found = await files.open(`clips/${name}`);
  await files.close();
  expect(found).toMatchObject({ leftOut: [{ content: 'audio', ...expected }] });
  expect('window' in found && found.window.tracks.map(({ track }) => track.content)).toEqual(['video']);
});
