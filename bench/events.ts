import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EventBus } from '../src-main/events/event-bus.ts';
import { EventIds } from '../src-main/events/event-ids.ts';
import { EventSinks } from '../src-main/events/event-sinks.ts';
import { DiskFolder } from '../src-main/events/queue-folder.ts';
import { SinkFolders } from '../src-main/events/sink-folders.ts';
import type { SinkSettings } from '../src-main/events/sink-settings.ts';
import { systemClock } from '../src-main/lib/clock.ts';
import { silentLog } from '../src-main/lib/log.ts';

// Measures the cost of events: time of `emit`, time of the turns that forward events to sinks, and processor time until they are
// in files. There are three sinks: one gets all events, one a third of them, and one none.
// node bench/events.ts [perSecond=1000] [seconds=10]

const [perSecond = 1000, seconds = 10] = process.argv.slice(2, 4).map(Number);
const TICKS_PER_SECOND = 50;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-bench-events-'));
const ids = await EventIds.open(await DiskFolder.open(join(folder, 'events')), Date.now());
const turns: number[] = [];
const bus = new EventBus({
  server: 'bench.example.org',
  clock: systemClock,
  nextId: () => ids.take(),
  defer: (work) =>
    setImmediate(() => {
      const from = performance.now();
      work();
      turns.push(performance.now() - from);
    }),
});
const sinks = new EventSinks({
  folders: new SinkFolders(join(folder, 'events')),
  fileRoot: folder,
  userAgent: 'bench',
  server: 'bench',
  clock: systemClock,
  log: silentLog,
  events: bus,
});
bus.receive(sinks.accept);
const settings = (name: string, only: SinkSettings['only']): SinkSettings => ({
  name,
  url: `jsonlog://${name}.jsonl`,
  only,
  except: [],
  level: null,
  throttleDelayMs: 0,
  resendLimit: null,
  resendTimeoutMs: null,
  maxBytes: 1e9,
  maxFiles: 1,
  extra: {},
  secrets: [],
});
sinks.apply([
  settings('all', []),
  settings('third', [{ event: ['play_*'], media: ['stream1*'] }]),
  settings('none', [{ event: ['alarm_*'] }]),
]);
await wait(200);

function emit(index: number): void {
  const name = `stream${index % 3}`;
  bus.emit('play_opened', {
    media: name,
    session_id: `session-${index}`,
    ip: '192.0.2.17',
    proto: 'hls',
    country: null,
    user_id: null,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64) a player',
  });
}

// Warm-up, then the measurement of `emit`. 10 000 events at a time fit into the queue of the bus.
for (let round = 0; round < 20; round++) {
  for (let index = 0; index < 10_000; index++) emit(index);
  await bus.drained();
  await sinks.settled();
}
const emitMs: number[] = [];
for (let round = 0; round < 20; round++) {
  const from = performance.now();
  for (let index = 0; index < 10_000; index++) emit(index);
  emitMs.push(performance.now() - from);
  await bus.drained();
  await sinks.settled();
}
while ([...sinks.states().values()].some(({ backlog }) => backlog > 0)) await wait(50);

turns.length = 0;
const idle = process.cpuUsage();
await wait(1000);
const idleMs = cpuMs(process.cpuUsage(idle));
const start = process.cpuUsage();
const total = perSecond * seconds;
for (let emitted = 0; emitted < total;) {
  for (let index = 0; index < perSecond / TICKS_PER_SECOND; index++) emit(emitted++);
  await wait(1000 / TICKS_PER_SECOND);
}
while ([...sinks.states().values()].some(({ backlog }) => backlog > 0)) await wait(20);
const usedMs = cpuMs(process.cpuUsage(start));
const states = [...sinks.states().values()];
await sinks.close();
rmSync(folder, { recursive: true, force: true });

emitMs.sort((a, b) => a - b);
turns.sort((a, b) => a - b);
console.log(`emit                        ${(((emitMs[10] ?? 0) / 10_000) * 1000).toFixed(2)} µs`);
console.log(
  `turn that forwards events   ${(turns[Math.floor(turns.length / 2)] ?? 0).toFixed(2)} ms median, ${(turns[Math.floor(turns.length * 0.99)] ?? 0).toFixed(2)} ms at 99 %`,
);
console.log(
  `event until it is in a file ${((usedMs / total) * 1000).toFixed(0)} µs of processor time in all threads (${perSecond} a second; idle ${idleMs.toFixed(0)} ms a second)`,
);
console.log(
  `delivered ${states.map(({ name, delivered, dropped }) => `${name} ${delivered} (dropped ${dropped})`).join(', ')}`,
);

function cpuMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
