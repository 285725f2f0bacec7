import { expect, it } from 'vitest';
import { readBoxes } from './box.ts';
import { forEachSample } from './chunk-reader.ts';
import { chunkHeaderBytes } from './chunk-shape.ts';
import { writeChunkHeader } from './chunk.ts';
import { prefixFirstSample } from './chunk-placing.ts';
import { createSampleTable } from './sample-table.ts';

function chunkOf(sizes: readonly number[]): Uint8Array {
  const samples = createSampleTable(sizes.length);
  samples.count = sizes.length;
  for (const [index, size] of sizes.entries()) {
    samples.sizes[index] = size;
    samples.durations[index] = 3600;
    samples.isSync[index] = index === 0 ? 1 : 0;
  }
  const room = chunkHeaderBytes(sizes.length, { content: 'video', hasWall: false });
  const header = new Uint8Array(room);
  const start = writeChunkHeader(header, room, {
    ...{ trackNumber: 1, sequenceNumber: 1, baseDecodeTicks: 0, samples, content: 'video' },
  });
  return Buffer.concat([header.subarray(start), ...sizes.map((size, index) => Buffer.alloc(size, index + 1))]);
}

const PREFIX = Uint8Array.from({ length: 12 }, () => 0xaa);

it.each([
  ['several samples', [50, 7, 9]],
  ['one sample', [50]],
])('begins the first of %s with further bytes', (_, sizes) => {
  const made = prefixFirstSample(chunkOf(sizes), PREFIX);
  const read: { size: number; values: number[] }[] = [];
  forEachSample(made, (start, size) => {
    read.push({ size, values: [...new Set(made.subarray(start, start + size))] });
  });
  const [first = 0, ...others] = sizes;
  expect(read.map(({ size }) => size)).toEqual([first + PREFIX.length, ...others]);
  expect(read.map(({ values }) => values)).toEqual([[0xaa, 1], ...others.map((_size, index) => [index + 2])]);
});

it('stays as it is where its samples share a size, and is as long as it would be', () => {
  const chunk = chunkOf([9, 9, 9]);
  const made = prefixFirstSample(chunk, PREFIX);
  expect(made).toHaveLength(chunk.length + PREFIX.length);
  expect(Buffer.from(made.subarray(0, chunk.length)).equals(chunk)).toBe(true);
  expect(readBoxes(made).map(({ type }) => type)).toEqual(['moof', 'mdat', 'free']);
});
