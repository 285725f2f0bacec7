import type { Socket } from 'node:net';
import type { Server } from 'node:tls';

/**
 * Closes connections that do not finish their TLS handshake in time, counted from the accept. Node's own timeout
 * restarts with each byte, and only reports the socket.
 */
export class TlsHandshakes {
  readonly #timeoutMs: number;
  readonly #now: () => number;
  /** Raw sockets during their handshake, by both addresses of the peer. */
  readonly #open = new Map<string, { readonly socket: Socket; readonly sinceMs: number }>();

  constructor(server: Server, timeoutMs: number, now: () => number) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
    server.on('secureConnection', (socket) => {
      this.#open.delete(keyOf(socket));
    });
    server.on('tlsClientError', (_error, socket) => {
      socket.destroy();
    });
  }

  /** Starts the time limit of a connection that was just accepted. */
  begin(socket: Socket): void {
    const key = keyOf(socket);
    const handshake = { socket, sinceMs: this.#now() };
    this.#open.set(key, handshake);
    socket.once('close', () => {
      if (this.#open.get(key) === handshake) this.#open.delete(key);
    });
  }

  /** Closes connections whose time has expired; returns their number. */
  sweep(): number {
    let closed = 0;
    for (const { socket, sinceMs } of this.#open.values()) {
      // Connections are in the order in which they were accepted.
      if (this.#now() - sinceMs < this.#timeoutMs) break;
      socket.destroy();
      closed++;
    }
    return closed;
  }
}

function keyOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
