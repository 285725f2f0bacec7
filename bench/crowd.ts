import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { stopChild } from './replay.ts';
import type { Target } from './target.ts';

/** Number of viewers of a crowd. Each has a separate address, because sessions distinguish viewers by address. */
export const CROWD = 10_000;
/** Number of viewers that send requests at the same time. */
const BATCH = 100;
/** Interval of each viewer's requests, so that its session stays open, in milliseconds. */
const INTERVAL_MS = 20_000;

/** Runs a crowd of viewers in its own process until the returned function is called. */
export async function startCrowd(server: Target, path: string): Promise<() => Promise<void>> {
  const child: ChildProcess = fork(new URL(import.meta.url), [String(server.httpPort), path], { execArgv: [] });
  // The child sends `open` when all sessions are open, or an error.
  const [answer] = (await once(child, 'message')) as [string];
  if (answer !== 'open') throw new Error(`the crowd failed: ${answer}`);
  return async () => {
    await stopChild(child);
  };
}

function addressOf(viewer: number): string {
  return `127.1.${viewer >> 8}.${viewer & 255}`;
}

async function open(port: number, path: string, viewer: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(viewer) });
  await once(socket, 'connect');
  await request(socket, path);
  return socket;
}

async function request(socket: Socket, path: string): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nUser-Agent: crowd\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.includes(' 200 ')) throw new Error(head.toString('latin1', 0, 60));
}

async function watch(port: number, path: string): Promise<void> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < CROWD; opened += BATCH) {
    sockets.push(...(await Promise.all(Array.from({ length: BATCH }, (_, index) => open(port, path, opened + index)))));
  }
  process.send?.('open');
  let next = 0;
  setInterval(
    () => {
      for (let count = 0; count < BATCH; count++)
        sockets[next++ % CROWD]?.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nUser-Agent: crowd\r\n\r\n`);
    },
    (INTERVAL_MS * BATCH) / CROWD,
  );
  // Replies are read and discarded.
  for (const socket of sockets) socket.resume();
}

if (process.send) {
  const [port = '0', path = '/'] = process.argv.slice(2);
  process.on('disconnect', () => process.exit(0));
  watch(Number(port), path).catch((error: unknown) => {
    process.send?.(String(error));
  });
}
