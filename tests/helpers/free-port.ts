import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Range of ports below the range of outgoing connections, so that no connection takes a port between its check and its
 * use.
 */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;
const TRIES = 100;

/** TCP port of 127.0.0.1 that was free just now, for programs that cannot report their port. */
export function freePort(): Promise<number> {
  return findPort(async (port) => {
    const server = createServer();
    const listening = once(server, 'listening');
    server.listen(port, '127.0.0.1');
    await listening;
    await new Promise((resolve) => server.close(resolve));
  });
}

/**
 * UDP port of 127.0.0.1 that was free just now.
 *
 * @param count number of consecutive free ports from the returned one: RTP needs two, for media and for reports
 */
export function freeUdpPort(count = 1): Promise<number> {
  return findPort(async (port) => {
    for (let next = port; next < port + count; next++) {
      const socket = createSocket('udp4');
      const listening = once(socket, 'listening');
      socket.bind(next, '127.0.0.1');
      await listening;
      await new Promise<void>((resolve) => {
        socket.close(resolve);
      });
    }
  });
}

/** @param take opens a port and closes it; rejects if the port is in use */
async function findPort(take: (port: number) => Promise<void>): Promise<number> {
  let refusal: unknown;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    try {
      await take(port);
      return port;
    } catch (error) {
      refusal = error;
    }
  }
  throw new Error(`no free port after ${TRIES} attempts`, { cause: refusal });
}
