import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { Turns } from './thread-cost.ts';
import type { FromProbe, ToProbe } from './probed-server.ts';

// Loaded into the process of a server with `--import`: measures the turns of the server thread when the parent requests it.

const delay = monitorEventLoopDelay({ resolution: 1 });
let turns = new Turns();
let collections: Parameters<Turns['longestWithout']>[0][number][] = [];
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) collections.push([startTime, startTime + duration]);
});

function answer(message: FromProbe): void {
  process.send?.(message);
}

// Media threads load this file, too, but only the server thread has the channel to the parent.
if (isMainThread) {
  process.on('message', (message: ToProbe) => {
    if (message === 'start') {
      turns = new Turns();
      collections = [];
      observer.observe({ entryTypes: ['gc'] });
      delay.reset();
      delay.enable();
      turns.start();
      answer({ kind: 'started' });
      return;
    }
    turns.stop();
    delay.disable();
    // Garbage collections are reported in a later turn than the turn in which they ran.
    setImmediate(() => {
      observer.disconnect();
      const workMs = turns.longestWithout(collections);
      answer({ kind: 'measured', turnMs: turns.longestMs, workMs, delayMs: delay.max / 1e6 });
    });
  });
  process.channel?.unref();
}
