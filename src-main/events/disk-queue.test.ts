import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CrashingFolder } from '../../tests/helpers/crashing-folder.ts';
import { DiskQueue } from './disk-queue.ts';
import { DiskFolder } from './queue-folder.ts';

/** Small files, so that the queue often starts a new file. */
const SEGMENT_BYTES = 200;

type Step =
  | { readonly kind: 'append'; readonly count: number; readonly size: number }
  | { readonly kind: 'take'; readonly count: number; readonly acked: number }
  | { readonly kind: 'reopen' }
  /** Crash at this file operation, which may be completed in part. */
  | { readonly kind: 'crash'; readonly after: number; readonly torn: number }
  | { readonly kind: 'full'; readonly torn: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 8 }),
      size: fc.integer({ min: 0, max: 90 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      count: fc.integer({ min: 1, max: 10 }),
      acked: fc.integer({ min: 0, max: 10 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      after: fc.integer({ min: 0, max: 5 }),
      torn: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('full' as const), torn: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
);

/**
 * Runs steps on a queue and on a simple model: texts that were surely appended, and texts that may have been appended.
 */
async function run(steps: readonly Step[]): Promise<void> {
  const folder = new CrashingFolder();
  let queue = await DiskQueue.open(folder, SEGMENT_BYTES);
  let count = 0;
  /** Texts in the order of their appends. A text is not sure if a crash or a full disk interrupted its append. */
  let expected: { readonly text: string; readonly isSure: boolean }[] = [];
  /** Texts of a failed append, which is repeated. */
  let failed: string[] = [];
  /** Number of texts, from the first one, that may have been acknowledged before the crash. */
  let maybeAcked = 0;

  const reopen = async (): Promise<void> => {
    folder.changesLeft = Number.POSITIVE_INFINITY;
    // Texts that were partly written to a full disk may be present or absent, as after a crash.
    expected.push(...failed.map((text) => ({ text, isSure: false })));
    queue = await DiskQueue.open(folder, SEGMENT_BYTES);
    const found = (await queue.peek(100_000, Number.POSITIVE_INFINITY)).map(({ text }) => text);
    // All sure texts are found in order; only unsure texts are between them.
    const skipped = expected.slice(0, maybeAcked).filter(({ text }) => !found.includes(text)).length;
    const rest = expected.slice(skipped);
    expect(rest.filter(({ text, isSure }) => isSure || found.includes(text)).map(({ text }) => text)).toEqual(found);
    expect(queue.backlog).toBe(found.length);
    expected = found.map((text) => ({ text, isSure: true }));
    failed = [];
    maybeAcked = 0;
  };
  for (const next of steps) {
    switch (next.kind) {
      case 'append': {
        const texts = [...failed, ...Array.from({ length: next.count }, () => `${count++} ${'x'.repeat(next.size)}`)];
        try {
          await queue.append(texts);
          expected.push(...texts.map((text) => ({ text, isSure: true })));
          failed = [];
        } catch {
          failed = [];
          expected.push(...texts.map((text) => ({ text, isSure: false })));
          await reopen();
        }
        break;
      }
      case 'take': {
        try {
          const found = await queue.peek(next.count, 1_000_000);
          expect(found.map(({ text }) => text)).toEqual(expected.slice(0, next.count).map(({ text }) => text));
          const acked = Math.min(next.acked, found.length);
          maybeAcked = acked;
          if (acked > 0) await queue.ack(acked);
          expected = expected.slice(acked);
          maybeAcked = 0;
          expect(queue.backlog).toBe(expected.length);
        } catch (error) {
          if (!(error instanceof Error) || error.constructor.name !== 'Crash') throw error;
          await reopen();
        }
        break;
      }
      case 'reopen':
        await reopen();
        break;
      case 'crash':
        folder.changesLeft = next.after;
        folder.tornShare = next.torn;
        break;
      case 'full': {
        folder.changesLeft = Number.POSITIVE_INFINITY;
        folder.isFull = true;
        folder.tornShare = next.torn;
        const texts = [...failed, `${count++}`, `${count++}`];
        await expect(queue.append(texts)).rejects.toThrow('no space');
        failed = texts;
        folder.isFull = false;
        break;
      }
      default:
        next satisfies never;
    }
  }
  await reopen();
  // Only a full disk leaves an incomplete line before other lines.
  if (!steps.some(({ kind }) => kind === 'full')) expect(queue.damaged).toBe(0);
}

describe('DiskQueue', () => {
  it('keeps all events in order, wherever the process is killed and whenever the disk is full', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), run), { numRuns: 1500 });
  });

  it('skips damaged records and counts them', async () => {
    const folder = new CrashingFolder();
    const queue = await DiskQueue.open(folder, SEGMENT_BYTES);
    await queue.append(['one', 'two', 'three']);
    const [name] = folder.files.keys();
    const bytes = Buffer.from(folder.files.get(name ?? '') ?? '');
    bytes[bytes.indexOf('two')] = 88;
    folder.files.set(name ?? '', bytes);
    const again = await DiskQueue.open(folder, SEGMENT_BYTES);
    expect(await again.peek(10, 1000)).toEqual([
      { seq: 1, text: 'one' },
      { seq: 3, text: 'three' },
    ]);
    expect(again.damaged).toBe(1);
    await again.ack(2);
    expect(again.backlog).toBe(0);
  });

  it('continues with an unreadable file and with a damaged checkpoint', async () => {
    const folder = new CrashingFolder();
    const queue = await DiskQueue.open(folder, SEGMENT_BYTES);
    await queue.append(['one', 'two']);
    await queue.peek(1, 1000);
    await queue.ack(1);
    folder.files.set('checkpoint', Buffer.from('{"acked":'));
    const again = await DiskQueue.open(folder, SEGMENT_BYTES);
    expect((await again.peek(10, 1000)).map(({ text }) => text)).toEqual(['one', 'two']);
    const [name = ''] = [...folder.files.keys()].filter((file) => file.endsWith('.events'));
    folder.files.set(name, Buffer.from('rubbish\nrubbish\n'));
    const broken = await DiskQueue.open(folder, SEGMENT_BYTES);
    expect(await broken.peek(10, 1000)).toEqual([]);
    expect(broken.backlog).toBe(0);
    await broken.append(['three']);
    expect((await broken.peek(10, 1000)).map(({ text }) => text)).toEqual(['three']);
  });

  it('removes finished files on a real disk', async () => {
    const path = mkdtempSync(join(tmpdir(), 'airdesk-queue-'));
    try {
      const folder = await DiskFolder.open(path);
      const queue = await DiskQueue.open(folder, 10_000);
      for (let round = 0; round < 50; round++) {
        await queue.append(Array.from({ length: 100 }, (_, index) => `event ${round} ${index}`));
        const records = await queue.peek(100, 1_000_000);
        expect(records[0]?.text).toBe(`event ${round} 0`);
        await queue.ack(records.length);
      }
      await folder.sync();
      const bytes = readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
      expect(bytes).toBeLessThan(20_000);
      queue.counters.delivered = 5000;
      await queue.append(['last']);
      await queue.save();
      await folder.close();
      const again = await DiskQueue.open(await DiskFolder.open(path), 10_000);
      expect(await again.peek(10, 1000)).toEqual([{ seq: 5001, text: 'last' }]);
      expect(again.counters.delivered).toBe(5000);
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});
