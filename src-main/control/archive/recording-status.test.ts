import { expect, it } from 'vitest';
import { recordingStatus } from './recording-status.ts';

const RANGES = [
  { startMs: 1_000_500, endMs: 1_010_200 },
  { startMs: 1_020_000, endMs: 1_030_000 },
];

it('recordingStatus lists recorded and locked time in seconds, and omits unreadable locks', async () => {
  const queries: unknown[] = [];
  const archive = {
    ranges: async (_stream: string, time: unknown) => {
      queries.push(time);
      return Promise.resolve({ ranges: RANGES });
    },
    extent: async () => Promise.resolve({ startMs: 1_000_500, endMs: 1_030_000, blocks: 2, bytes: 7000 }),
    locks: () => [{ startMs: 1_001_000, endMs: 1_002_000, note: '' }],
  };
  const status = await recordingStatus(archive as never, 'cam', 'from=1000&to=now', 1_100_000);
  expect(status).toEqual({
    stream: 'cam',
    from: 1000,
    depth: 99,
    duration: 21,
    bytes: 7000,
    ranges: [
      { from: 1000, duration: 11 },
      { from: 1020, duration: 10 },
    ],
    locks: [{ from: 1001, duration: 1 }],
  });
  expect(queries).toEqual([{ startMs: 1_000_000, endMs: 1_100_000 }]);
  const locked = { locks: [{ from: 1001, duration: 1 }] };
  expect(await recordingStatus(archive as never, 'cam', 'request=locks', 1_100_000)).toEqual([
    { stream: 'cam', ...locked },
  ]);
  expect(await recordingStatus(archive as never, 'cam', 'from=1000&request=ranges,locks', 1_100_000)).toMatchObject([
    { stream: 'cam', ranges: [{ from: 1000 }, { from: 1020 }], ...locked },
  ]);
  const locks = (): never => {
    throw new Error('the database is gone');
  };
  const other = await recordingStatus(
    { ...archive, extent: async () => Promise.resolve(undefined), locks },
    'cam',
    'from=x',
    5000,
  );
  expect(other).toMatchObject({ from: 1000, depth: 0, bytes: 0, locks: [] });
});

it('recordingStatus includes recordings from before the clock was set back, starting with the block being written', async () => {
  const queries: { endMs: number }[] = [];
  const archive = {
    ranges: async (_stream: string, time: { endMs: number }) => {
      queries.push(time);
      return Promise.resolve({ ranges: [{ startMs: 400_000, endMs: 420_000 }, ...RANGES] });
    },
    extent: async () => Promise.resolve({ startMs: 1_000_500, endMs: 1_030_000, blocks: 2, bytes: 7000 }),
    locks: () => [],
  };
  expect(await recordingStatus(archive as never, 'cam', '', 420_000)).toMatchObject({ from: 400, depth: 20 });
  expect(queries[0]?.endMs).toBeGreaterThan(1_030_000);
});
