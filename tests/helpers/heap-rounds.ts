import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HeapPool } from '../../src-main/segment/heap-pool.ts';

// Program: rounds of short-lived streams, each with heaps for video and audio. Prints the memory of the process at its
// start and after each round in MiB.
setFlagsFromString('--expose-gc');
// Function that the flag adds to new contexts.
const gc = runInNewContext('gc') as () => void;
const pool = new HeapPool();
const memory = [usedMb()];

for (let round = 0; round < 5; round++) {
  const heaps = Array.from({ length: 1000 }, (_, index) => pool.take((index % 2 === 0 ? 32 : 4) * 1024 * 1024));
  for (const heap of heaps) {
    heap.open(100, 1000);
    heap.append(new Uint8Array(50_000).fill(1));
  }
  for (const heap of heaps.splice(0)) pool.retire(heap);
  // The garbage collector scans the buffers in parallel.
  for (let turn = 0; turn < 3; turn++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  memory.push(usedMb());
}
process.stdout.write(JSON.stringify(memory));

function usedMb(): number {
  return Math.round(process.memoryUsage.rss() / 1024 / 1024);
}
