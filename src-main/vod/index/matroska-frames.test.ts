import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { ClipFiles } from '../../../tests/helpers/clip-files.ts';
import { bytesOfMemory } from '../../../tests/helpers/clip-folder.ts';
import { ID, readElementStart } from '../../media/containers/matroska/element.ts';
import { listFrames } from './matroska-frames.ts';

const clips = new ClipFiles();
afterAll(() => {
  clips.close();
});

/** One cluster per second. */
const CLIP = readFileSync(clips.add('clip.mkv', { seconds: 8, muxer: ['-cluster_time_limit', '1000'] }));

interface Placed {
  readonly id: number;
  readonly at: number;
  readonly end: number;
}

function elementsOf(file: Buffer): Placed[] {
  const found: Placed[] = [];
  for (let at = 0; at < file.length;) {
    const start = readElementStart(file, at)!;
    const end = at + start.headBytes + (start.id === ID.segment ? 0 : start.dataBytes!);
    found.push({ id: start.id, at, end });
    at = end;
  }
  return found;
}

async function countsOf(file: Buffer): Promise<number[]> {
  const found = await listFrames(bytesOfMemory(file));
  if (typeof found === 'string') throw new Error(found);
  return [...found.lists.values()].map(({ count }) => count);
}

/** The file with `Tracks` moved after all clusters. @param hasSeek whether `SeekHead` points to it */
function withLateTracks(hasSeek: boolean): Buffer {
  const elements = elementsOf(CLIP);
  const of = (id: number): Buffer[] =>
    elements.flatMap((one) => (one.id === id ? [CLIP.subarray(one.at, one.end)] : []));
  const seekPosition = Buffer.alloc(4);
  const seekHead = Buffer.concat([
    Buffer.from([0x11, 0x4d, 0x9b, 0x74, 0x91, 0x4d, 0xbb, 0x8e]),
    Buffer.from([0x53, 0xab, 0x84, 0x16, 0x54, 0xae, 0x6b, 0x53, 0xac, 0x84]),
    seekPosition,
  ]);
  const before = Buffer.concat([...(hasSeek ? [seekHead] : []), ...of(ID.info), ...of(ID.cluster)]);
  if (hasSeek) before.writeUInt32BE(before.length, seekHead.length - 4);
  // Segment element of unknown size.
  const segment = Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
  return Buffer.concat([...of(ID.ebml), segment, before, ...of(ID.tracks)]);
}

describe('listFrames', () => {
  const clusters = elementsOf(CLIP).filter(({ id }) => id === ID.cluster);

  it('continues at the next cluster after damage', async () => {
    const [pictures = 0, sounds = 0] = await countsOf(CLIP);
    expect(pictures).toBe(200);
    expect(clusters.length).toBeGreaterThan(6);
    const { at, end } = clusters[2]!;
    for (const byte of [0, 0x1f, 0xa3, 0xff]) {
      const damaged = Buffer.from(CLIP).fill(byte, at + 40, at + 200);
      const [left = 0, audioCount = 0] = await countsOf(damaged);
      expect(left).toBeGreaterThan(pictures - 40);
      expect(audioCount).toBeGreaterThan(sounds - 80);
    }
    const lost = Buffer.from(CLIP).fill(0, at, end);
    expect((await countsOf(lost))[0]).toBeGreaterThan(pictures - 40);
  });

  it('lists the frames of a truncated file', async () => {
    const { at, end } = clusters[4]!;
    const [left = 0] = await countsOf(CLIP.subarray(0, Math.floor((at + end) / 2)));
    const [before = 0] = await countsOf(CLIP.subarray(0, at));
    expect(before).toBeGreaterThan(60);
    expect(left).toBeGreaterThan(before);
  });

  it.each([true, false])('lists the frames if Tracks comes last (SeekHead: %s)', async (hasSeek) => {
    expect(await countsOf(withLateTracks(hasSeek))).toEqual(await countsOf(CLIP));
  });

  it('returns an error without Tracks', async () => {
    const file = Buffer.from(CLIP);
    const tracks = elementsOf(CLIP).find(({ id }) => id === ID.tracks)!;
    file[tracks.at + 3] = 0x6c;
    expect(await listFrames(bytesOfMemory(file))).toMatch(/Tracks/);
  });
});
