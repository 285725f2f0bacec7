import { expect, it } from 'vitest';
import { ArchiveService, type ArchiveServiceDeps } from './archive-service.ts';

const DAY = { startMs: 1000, endMs: 5000 };
const STORED = new Map([
  ['b', { ...DAY, blocks: 2, bytes: 70 }],
  ['d', { ...DAY, blocks: 1, bytes: 30 }],
]);

/** Archives of finished blocks of `b` and `d`, and of unfinished blocks of other streams. */
function service(open: Readonly<Record<string, { readonly startMs: number; readonly endMs: number }>>): ArchiveService {
  const deps = {
    catalog: {
      streams: async (after: string, limit: number) =>
        Promise.resolve([...STORED.keys()].filter((name) => name > after).slice(0, limit)),
      extent: async (stream: string) => Promise.resolve(STORED.get(stream)),
    },
    recordings: { unfinishedStreams: Object.keys(open), unfinished: (stream: string) => open[stream] },
  };
  return new ArchiveService(deps as unknown as ArchiveServiceDeps);
}

it('lists a stream from its first media on disk, before a block is finished, in pages', async () => {
  const archive = service({ e: DAY, a: DAY, b: DAY, c: DAY });
  expect(await archive.streams('', 100)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await archive.streams('', 2)).toEqual(['a', 'b']);
  expect(await archive.streams('b', 2)).toEqual(['c', 'd']);
  expect(await archive.streams('e', 2)).toEqual([]);
});

it('includes unfinished blocks in the extent of a stream', async () => {
  const archive = service({ a: { startMs: 7000, endMs: 9000 }, b: { startMs: 5000, endMs: 6000 } });
  expect(await archive.extent('a')).toEqual({ startMs: 7000, endMs: 9000, blocks: 0, bytes: 0 });
  expect(await archive.extent('b')).toEqual({ startMs: 1000, endMs: 6000, blocks: 2, bytes: 70 });
  expect(await archive.extent('d')).toEqual(STORED.get('d'));
  expect(await archive.extent('x')).toBeUndefined();
});
