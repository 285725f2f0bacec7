import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { whenSilent } from './when-silent.ts';

/** Sender in a thread of its own: it sends while this thread stands still. */
const SENDER = `
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const socket = connect(workerData, '127.0.0.1', () => {
    socket.write('POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n');
    const timer = setInterval(() => socket.write('1\\r\\na\\r\\n'), 10);
    parentPort.once('message', () => clearInterval(timer));
  });
`;
const SILENCE_MS = 300;

it('does not take a stall of this process for silence, and reports silence', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = new Worker(SENDER, { eval: true, workerData: (server.address() as AddressInfo).port });
  try {
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    let silences = 0;
    let chunks = 0;
    whenSilent(request, request, SILENCE_MS, () => silences++);
    request.on('data', () => chunks++);
    await until('bytes', () => chunks > 3, 20_000);
    // In this phase of the event loop, timers come before the bytes that wait.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * SILENCE_MS);
    const before = chunks;
    await until('bytes after the stall', () => chunks > before + 3, 20_000);
    expect(silences).toBe(0);
    sender.postMessage('stop');
    await until('silence', () => silences > 0, 20_000);
  } finally {
    await sender.terminate();
    server.closeAllConnections();
    server.close();
  }
});
