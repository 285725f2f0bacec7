import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryBlocks } from '../../tests/helpers/memory-blocks.ts';
import { fileOf, RecordingStage } from '../../tests/helpers/recording-stage.ts';
import { nextTurn } from '../lib/turns.ts';
import { scanBlock } from './block/block-scan.ts';
import { endOf, recoverStream } from './recovery.ts';

/** Number of random power failures. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 1000);
const SECONDS = 3600;
/** Maximum loss in a power failure: data collected for 0.85 s, the write in progress, and the open part. */
const MAX_LOST_MS = 1500;

/** Operation about to run on the disk, and the size of the file before it. */
interface Operation {
  readonly operation: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly atMs: number;
}

it('a power failure at any time of an hour loses at most the last 1.5 s', async () => {
  const stage = new RecordingStage({ segmentCount: 10 });
  const operations: Operation[] = [];
  stage.disks.before = (operation, path) => {
    const sizeBytes = stage.disks.files.get(path)?.length ?? 0;
    operations.push({ operation, path, sizeBytes, atMs: stage.stream.clock.now() });
  };
  /** Ends of the video parts, each with its arrival. */
  const parts: { readonly endMs: number; readonly atMs: number }[] = [];
  stage.stream.onEvents = (events) => {
    for (const event of events)
      if (event.type === 'part' && event.trackId === 'v1')
        parts.push({ endMs: (event.startTicks + event.durationTicks) / 90, atMs: stage.stream.clock.now() });
  };
  await stage.record();
  const play = stage.stream.playing({
    video: { fps: 5, gopFrames: 10, bFrames: 0 },
    audio: { sampleRate: 8000, lateMs: 0 },
    seconds: SECONDS,
  });
  for (let ms = 0; ms <= SECONDS * 1000; ms += 250) {
    play(ms);
    // In these turns the disk completes its operations.
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
  await stage.close();
  const left = stage.disks.files;
  expect(left.size).toBeGreaterThanOrEqual(SECONDS / 60);
  const created = operations.flatMap(({ operation, path }, at) => (operation === 'create' ? [{ path, at }] : []));

  /** Newest files after a power failure before an operation. Some of the unsynced data is present. */
  const cutAt = (cut: number, share: number): MemoryBlocks => {
    const disk = new MemoryBlocks();
    for (const { path, at } of created.filter((file) => file.at < cut).slice(-4)) {
      const bytes = left.get(path) ?? new Uint8Array();
      const written = operations.slice(cut, cut + 1000).find((next) => next.path === path)?.sizeBytes ?? bytes.length;
      const isSync = (done: Operation): boolean => done.path === path && done.operation === 'sync';
      const synced = operations.slice(at, cut).findLast(isSync)?.sizeBytes ?? 0;
      disk.files.set(path, bytes.slice(0, synced + Math.floor((written - synced) * share)));
    }
    return disk;
  };

  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: operations.length - 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (cut, share) => {
        const disk = cutAt(cut, share);
        const atMs = operations[cut]?.atMs ?? 0;
        const lastMs = parts.findLast((part) => part.atMs <= atMs)?.endMs;
        const { endMs, repaired } = await recoverStream(disk, { folder: '/a', writing: new Set() }, 'c/03');
        if (lastMs !== undefined && disk.files.size > 0) expect(lastMs - endMs).toBeLessThanOrEqual(MAX_LOST_MS);
        expect(repaired.length).toBeLessThanOrEqual(2);
        // Repaired blocks are complete, and a second pass changes nothing.
        for (const { path, head, index } of repaired) {
          const bytes = disk.files.get(`/a/${path}`) ?? new Uint8Array();
          expect(await scanBlock(fileOf(bytes), bytes.length)).toMatchObject({
            isFinished: true,
            endBytes: bytes.length,
          });
          expect(endOf(head, index)).toBeLessThanOrEqual(endMs);
        }
        const again = await recoverStream(disk, { folder: '/a', writing: new Set() }, 'c/03');
        expect([again.endMs, again.repaired]).toEqual([endMs, []]);
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);
