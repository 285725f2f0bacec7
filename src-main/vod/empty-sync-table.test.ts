import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { OpenFiles } from './thread/open-files.ts';

const clips = new ClipFiles();

afterAll(() => {
  clips.close();
});

/** Start of each video segment in milliseconds. */
async function segmentsOf(name: string): Promise<number[]> {
  const files = new OpenFiles({ clock: new FakeClock() });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
  const found = await files.open(`clips/${name}`);
  if ('code' in found) throw new Error(found.detail);
  const segments = found.window.segments('v1').map(({ segment }) => segment.startMs);
  await files.close();
  return segments;
}

/** Copy of a file with an empty sync sample table. */
function withoutSyncSamples(path: string): Buffer {
  const bytes = readFileSync(path);
  const stss = bytes.indexOf('stss');
  expect(bytes.readUInt32BE(stss + 8)).toBeGreaterThan(1);
  bytes.writeUInt32BE(0, stss + 8);
  return bytes;
}

describe('an MP4 file with an empty sync sample table', () => {
  it.each([
    { codec: 'H.264', muxer: [] },
    { codec: 'H.265', muxer: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=50:pools=1'] },
  ])('is segmented at the random access points of its media: $codec', async ({ codec, muxer }) => {
    const name = `${codec.replace('.', '')}.mp4`;
    const original = clips.add(name, { seconds: 12, muxer });
    writeFileSync(clips.path(`empty-${name}`), withoutSyncSamples(original));
    const expected = await segmentsOf(name);
    expect(expected.length).toBeGreaterThan(2);
    expect(await segmentsOf(`empty-${name}`)).toEqual(expected);
  });
});
