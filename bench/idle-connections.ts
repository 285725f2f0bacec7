import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { pause } from './context.ts';
import { cpuSeconds, residentMegabytes } from './process-cost.ts';
import { stopChild } from './replay.ts';
import type { Target } from './target.ts';

export const IDLE_CONNECTIONS = 10_000;
/** Number of connections that are opened at the same time. */
const BATCH = 200;

/** Cost of connections that are idle after one request. */
export interface IdleCost {
  readonly kilobytesEach: number;
  readonly cpuPercent: number;
}

/** Opens idle connections from a separate process and measures the server for some seconds. */
export async function measureIdle(server: Target, path: string, seconds: number): Promise<IdleCost> {
  const before = residentMegabytes(server.pid);
  const child = fork(new URL(import.meta.url), [String(server.httpPort), path], { execArgv: [] });
  const [answer] = (await once(child, 'message')) as [string];
  if (answer !== 'open') throw new Error(`the idle connections failed: ${answer}`);
  await pause(2000);
  const [cpu, startMs] = [cpuSeconds(server.pid), performance.now()];
  await pause(seconds * 1000);
  const cpuPercent = ((cpuSeconds(server.pid) - cpu) / ((performance.now() - startMs) / 1000)) * 100;
  const kilobytesEach = ((residentMegabytes(server.pid) - before) * 1024) / IDLE_CONNECTIONS;
  await stopChild(child);
  return { kilobytesEach, cpuPercent };
}

async function openOne(port: number, path: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nUser-Agent: idle\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.includes(' 200 ')) throw new Error(head.toString('latin1', 0, 60));
  socket.pause();
}

if (process.send) {
  const [port = '0', path = '/'] = process.argv.slice(2);
  try {
    for (let opened = 0; opened < IDLE_CONNECTIONS; opened += BATCH) {
      await Promise.all(Array.from({ length: BATCH }, () => openOne(Number(port), path)));
    }
    process.send('open');
  } catch (error) {
    process.send(String(error));
  }
  process.on('disconnect', () => process.exit(0));
}
