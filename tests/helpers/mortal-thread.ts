import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, threadId, workerData } from 'node:worker_threads';
import { ORDER_CHANNEL, CONFIRMATION_CHANNEL, type ThreadOrder } from './death-order.ts';

// Receiver of orders, preloaded into every thread of a process by `node --import`. SIGUSR2 crashes the first media thread;
// SIGWINCH makes all threads collect their garbage. Each thread prints `<process>.<thread> uses <bytes>`: 0 at its start and its
// end, otherwise what it still uses after a collection.
const orders = new BroadcastChannel(ORDER_CHANNEL);
if (isMainThread) {
  process.on('SIGUSR2', () => {
    orders.postMessage({ index: 0, what: 'exit' } satisfies ThreadOrder);
  });
  process.on('SIGWINCH', () => {
    orders.postMessage({ index: 'all', what: 'collect' } satisfies ThreadOrder);
    collect();
  });
} else {
  process.on('exit', () => {
    printUsed(0);
  });
  orders.onmessage = (event) => {
    // Only the tests send on this channel.
    const order = event.data as ThreadOrder;
    const { index, what } = order;
    // The data of a media thread contains its number, which other workers do not have.
    const mine = workerData as { readonly index?: number };
    if (index !== 'all' && index !== mine.index) return;
    if (what === 'collect') collect();
    else if (what === 'read') void read(order);
    else {
      obey(order);
      die(what);
    }
  };
}
// A channel that listens keeps its thread running.
if ('unref' in orders && typeof orders.unref === 'function') orders.unref();
printUsed(0);

function obey(order: ThreadOrder): void {
  const channel = new BroadcastChannel(CONFIRMATION_CHANNEL);
  channel.postMessage(order);
  channel.close();
}

/** Reads a file; confirms when the read was passed to the system. */
async function read(order: ThreadOrder): Promise<void> {
  const file = await open(order.path ?? '');
  const reading = file.read();
  obey(order);
  await reading;
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  // Function that the flag adds to new contexts.
  const gc = runInNewContext('gc') as () => void;
  gc();
  const { heapUsed, external } = process.memoryUsage();
  printUsed(heapUsed + external);
}

/** Prints at once: `process.stderr` of a worker would wait for the main thread. */
function printUsed(bytes: number): void {
  writeSync(2, `${process.pid}.${threadId} uses ${bytes}\n`);
}

function die(how: 'exit' | 'hang' | 'exhaust'): void {
  if (how === 'exit') process.exit(3);
  const kept: number[][] = [];
  // Allocates in large pieces: otherwise the thread of a busy machine would count as hanging before its memory is full.
  while (how === 'exhaust') kept.push(new Array<number>(1_000_000).fill(0.5));
  for (;;);
}
