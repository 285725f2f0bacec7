import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClipFiles } from '../../../tests/helpers/clip-files.ts';
import type { ProgressOrder, ProgressReport } from '../../../tests/helpers/progress-thread.ts';

// Loops in container readers advance by sizes from the file. Each loop must make progress, whatever the bytes are.

const clips = new ClipFiles();
const THREAD = new URL('../../../tests/helpers/progress-thread.ts', import.meta.url);
/** Files of each container, with muxer options. */
const SOURCES: readonly (readonly [name: string, muxer: readonly string[]])[] = [
  ['plain.ts', []],
  ['m2ts.ts', ['-mpegts_m2ts_mode', '1']],
  ['plain.mp4', []],
  ['fast.mp4', ['-movflags', '+faststart']],
  ['fragmented.mp4', ['-movflags', '+frag_keyframe+empty_moov']],
  ['plain.mkv', []],
  ['clusters.mkv', ['-cluster_time_limit', '100']],
  ['mp3.mkv', ['-c:a', 'libmp3lame']],
  ['mp2.ts', ['-c:a', 'mp2']],
];
/** Number of mutations of each file. */
const MUTATIONS = 60;
/** Time after which a thread without an answer counts as stuck in a loop, in milliseconds. */
const STUCK_MS = 30_000;

beforeAll(() => {
  for (const [name, muxer] of SOURCES) clips.add(name, { seconds: 4, muxer });
});
afterAll(() => {
  clips.close();
});

/** Pseudo-random numbers below a bound, always the same for a seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}

/** Damaged copy of a file: bytes changed, zeroed, removed, repeated, or separated by zeros. */
function mutated(bytes: Buffer, seed: number): Buffer {
  const next = numbersOf(seed);
  let changed = Buffer.from(bytes);
  for (let count = 1 + next(8); count > 0; count--) {
    // Sizes and tables are at the start of most files.
    const at = next(next(2) === 0 ? Math.min(4096, changed.length) : changed.length);
    const length = 1 + next(next(3) === 0 ? 20_000 : 16);
    switch (next(7)) {
      case 0:
        changed.fill(0, at, at + length);
        break;
      case 1:
        changed.fill(0xff, at, at + length);
        break;
      case 2:
        for (let index = at; index < Math.min(changed.length, at + length); index++) changed[index] = next(256);
        break;
      case 3:
        changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + length)]);
        break;
      case 4:
        changed = Buffer.concat([changed.subarray(0, at + length), changed.subarray(at)]);
        break;
      case 5:
        changed = Buffer.concat([changed.subarray(0, at), Buffer.alloc(length), changed.subarray(at)]);
        break;
      default:
        changed = changed.subarray(0, Math.max(64, at));
    }
  }
  return changed;
}

/** Random bytes after the start of a container. */
function noise(head: Buffer, seed: number): Buffer {
  const next = numbersOf(seed);
  const rest = Buffer.from(Array.from({ length: 20_000 }, () => next(256)));
  return Buffer.concat([head.subarray(0, next(512)), rest]);
}

/** A file of more than 16 MiB with zeros in the middle. */
function withZeros(bytes: Buffer): Buffer {
  const middle = Math.floor(bytes.length / 2);
  return Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(17 << 20), bytes.subarray(middle)]);
}

/** Runs the readers over files in sequence. Returns the readers that made no progress. */
async function stuck(files: Iterable<readonly [name: string, bytes: Buffer]>): Promise<readonly string[]> {
  const found: string[] = [];
  let thread = new Worker(THREAD);
  for (const [name, bytes] of files) {
    // A read advances by at least 16 bytes, and each of the few passes starts with some extra reads.
    const order: ProgressOrder = { name, bytes, maxReads: 2000 + bytes.length / 16 };
    const { promise, resolve } = Promise.withResolvers<ProgressReport | Error | undefined>();
    const timer = setTimeout(resolve, STUCK_MS, undefined);
    thread.once('message', resolve).once('error', resolve);
    thread.postMessage(order);
    const report = await promise;
    clearTimeout(timer);
    thread.off('message', resolve).off('error', resolve);
    if (report && !(report instanceof Error)) {
      if (report.reads.some((reads) => reads >= order.maxReads))
        found.push(`${name}: ${report.reads.join(', ')} reads`);
      continue;
    }
    found.push(`${name}: ${report ? report.message : 'no answer'}`);
    await thread.terminate();
    thread = new Worker(THREAD);
  }
  await thread.terminate();
  return found;
}

it.each(SOURCES.map(([name]) => name))(
  'every container reader makes progress with damaged copies of %s',
  async (name) => {
    const bytes = readFileSync(clips.path(name));
    function* files(): Generator<readonly [string, Buffer]> {
      yield [name, bytes];
      for (let seed = 0; seed < MUTATIONS; seed++) yield [`${seed}-${name}`, mutated(bytes, seed)];
      for (let seed = 0; seed < 10; seed++) yield [`noise-${seed}${extname(name)}`, noise(bytes, seed)];
      yield [`zeros-${name}`, withZeros(bytes)];
    }
    expect(await stuck(files())).toEqual([]);
  },
  STUCK_MS * 3,
);
