import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { grownBytes } from '../../src-main/media/containers/grown-bytes.ts';

// Program: rounds of long incomplete messages, with different sizes in each round. Prints the memory of the process at
// its start and after each round in MiB.
setFlagsFromString('--expose-gc');
// Function that the flag adds to new contexts.
const gc = runInNewContext('gc') as () => void;
const MAX_BYTES = 16 * 1024 * 1024;
const memory = [usedMb()];

for (let round = 0; round < 5; round++) {
  const messages = Array.from({ length: 24 }, (_, index) => {
    let bytes: Uint8Array = new Uint8Array(0);
    for (let size = 1 << 16; size <= (6 + ((index * 7 + round * 3) % 6)) << 20; size *= 2)
      bytes = grownBytes(bytes, bytes.length, size, MAX_BYTES).fill(1);
    return bytes;
  });
  messages.splice(0);
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
