import { open } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, workerData } from 'node:worker_threads';
import { DEATH_CHANNEL, OBEYED_CHANNEL, type ThreadOrder } from './death-order.ts';

// An ear for orders, loaded before anything else into every thread of a process: `node --import`. SIGUSR2 orders the death of
// the first media thread; SIGWINCH has all threads collect their garbage, so that memory can be measured.
const orders = new BroadcastChannel(DEATH_CHANNEL);
if (isMainThread) {
  process.on('SIGUSR2', () => {
    orders.postMessage({ index: 0, what: 'exit' } satisfies ThreadOrder);
  });
  process.on('SIGWINCH', () => {
    orders.postMessage({ index: 'all', what: 'collect' } satisfies ThreadOrder);
    collect();
    process.stderr.write('garbage was collected\n');
  });
} else {
  orders.onmessage = (event) => {
    // Only the tests speak on this channel.
    const order = event.data as ThreadOrder;
    const { index, what } = order;
    // What a media thread is started with; other workers have no such number.
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
// Node's channel keeps its thread alive as long as it listens.
if ('unref' in orders && typeof orders.unref === 'function') orders.unref();

function obey(order: ThreadOrder): void {
  const channel = new BroadcastChannel(OBEYED_CHANNEL);
  channel.postMessage(order);
  channel.close();
}

/** Reads a file; it is said once the read has been handed to the system. */
async function read(order: ThreadOrder): Promise<void> {
  const file = await open(order.path ?? '');
  const reading = file.read();
  obey(order);
  await reading;
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  // The function that the flag gives to new contexts.
  const gc = runInNewContext('gc') as () => void;
  gc();
}

function die(how: 'exit' | 'hang' | 'exhaust'): void {
  if (how === 'exit') process.exit(3);
  const kept: number[][] = [];
  // In large pieces: on a busy machine the thread would be taken for one that hangs before its memory is full.
  while (how === 'exhaust') kept.push(new Array<number>(1_000_000).fill(0.5));
  for (;;);
}
