import { isMainThread, workerData } from 'node:worker_threads';
import { DEATH_CHANNEL, type DeathOrder } from './death-order.ts';

// An ear for orders to die, loaded before anything else into every thread of a process: `node --import`. A signal to the
// process orders the death of its first media thread.
const orders = new BroadcastChannel(DEATH_CHANNEL);
if (isMainThread) {
  process.on('SIGUSR2', () => {
    orders.postMessage({ index: 0, death: 'exit' } satisfies DeathOrder);
  });
} else {
  orders.onmessage = (event) => {
    // Only the tests speak on this channel.
    const data = event.data as DeathOrder;
    // What a media thread is started with; other workers have no such number.
    const { index } = workerData as { readonly index?: number };
    if (data.index === index) die(data);
  };
}
// Node's channel keeps its thread alive as long as it listens.
if ('unref' in orders && typeof orders.unref === 'function') orders.unref();

function die({ death }: DeathOrder): void {
  if (death === 'exit') process.exit(3);
  for (;;);
}
