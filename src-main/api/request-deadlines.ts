import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';

/** From the first byte of a body to its last one, in milliseconds; not for publishers. */
export const BODY_MS = 60_000;
/** From the end of a reply to the end of the next head, in milliseconds. */
export const NEXT_HEAD_MS = 75_000;
/** A reader who takes nothing for this long is disconnected, in milliseconds. */
const STALL_MS = 30_000;
const SWEEP_MS = 5000;

/** What a connection is at. Waits for what the server has to do are not bounded here. */
interface Progress {
  phase: 'head' | 'body' | 'reply';
  sinceMs: number;
}

/**
 * Deadlines of connections that `node:http` serves. Its own are looked at by a listening server only, which ours is not, and do not
 * know that the body of a publisher has no end.
 */
export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #connections = new Map<Socket, Progress>();
  #cancel: (() => void) | undefined;

  constructor(server: Server, clock: Clock) {
    this.#clock = clock;
    server.on('connection', (socket: Socket) => {
      this.#connections.set(socket, { phase: 'head', sinceMs: clock.now() });
      socket.once('close', () => {
        this.#connections.delete(socket);
      });
    });
    server.on('upgrade', (request) => {
      this.#connections.delete(request.socket);
    });
    // The time of a socket begins anew with each byte in and out.
    server.setTimeout(STALL_MS, (socket) => {
      if (socket.writableLength > 0 || this.#connections.get(socket)?.phase === 'body') socket.destroy();
    });
    server.on('close', () => this.#cancel?.());
    this.#schedule();
  }

  /** A request has come. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket, headers } = request;
    const progress = this.#connections.get(socket);
    if (!progress) return;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    this.#enter(progress, hasBody ? 'body' : 'reply');
    request.once('end', () => {
      if (progress.phase === 'body') this.#enter(progress, 'reply');
    });
    response.once('close', () => {
      this.#enter(progress, 'head');
    });
  }

  /** The body of a request may take any time, as that of a publisher. */
  release({ socket }: IncomingMessage): void {
    const progress = this.#connections.get(socket);
    if (progress) this.#enter(progress, 'reply');
  }

  #enter(progress: Progress, phase: Progress['phase']): void {
    progress.phase = phase;
    progress.sinceMs = this.#clock.now();
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(SWEEP_MS, () => {
      const now = this.#clock.now();
      for (const [socket, { phase, sinceMs }] of this.#connections) {
        if (phase !== 'reply' && now - sinceMs >= (phase === 'body' ? BODY_MS : NEXT_HEAD_MS)) socket.destroy();
      }
      this.#schedule();
    });
  }
}
