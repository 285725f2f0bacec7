import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { Tally } from '../../lib/tally.ts';
import { every } from '../../lib/timers.ts';

/** Maximum time from the first to the last byte of a body, in milliseconds; does not apply to publishers. */
export const BODY_MS = 60_000;
/** Maximum time from the end of a reply to the end of the next head, in milliseconds. */
export const NEXT_HEAD_MS = 75_000;
/** Time after which a client that reads nothing is disconnected, in milliseconds. */
const STALL_MS = 30_000;
const SWEEP_MS = 5000;

/** State of a connection that exceeded a deadline: TLS handshake, sending a head or a body, or reading an answer. */
export type TimeoutPhase = 'handshake' | 'head' | 'body' | 'reply';

/** State of a connection. The time that the server itself needs is not limited here. */
interface Progress {
  phase: TimeoutPhase;
  sinceMs: number;
  /** Whether the timeout was already answered. The next check then closes the connection. */
  isOver: boolean;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  /**
   * Answers a request whose body took too long, and ends the server's side of the connection. Returns false if no answer is
   * possible.
   */
  readonly answerLate: (socket: Socket) => boolean;
  /** Counter of connections that exceeded a deadline. */
  readonly cut?: Tally<TimeoutPhase>;
}

/**
 * Deadlines of connections that `node:http` serves. The deadlines of Node would end the endless body of a publisher, and only
 * apply to a server that listens itself.
 */
export class RequestDeadlines {
  readonly #options: DeadlineOptions;
  readonly #connections = new Map<Socket, Progress>();

  constructor(server: Server, options: DeadlineOptions) {
    this.#options = options;
    server.on('connection', (socket: Socket) => {
      this.#connections.set(socket, { phase: 'head', sinceMs: options.clock.now(), isOver: false });
      socket.once('close', () => {
        this.#connections.delete(socket);
      });
    });
    server.on('upgrade', (request) => {
      this.#connections.delete(request.socket);
    });
    // The timer of a socket restarts with each byte that is received or sent.
    server.setTimeout(STALL_MS, (socket) => {
      const progress = this.#connections.get(socket);
      if (socket.writableLength > 0) this.#end(socket, 'reply');
      else if (progress?.phase === 'body') this.#late(socket, progress);
    });
    const stop = every(options.clock, SWEEP_MS, () => {
      this.#sweep();
    });
    server.on('close', stop);
  }

  /** Starts the deadline of a request. */
  start(request: IncomingMessage, response: ServerResponse): void {
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

  /** Removes the deadline for the body of a request, for example of a publisher. */
  release({ socket }: IncomingMessage): void {
    const progress = this.#connections.get(socket);
    if (progress) this.#enter(progress, 'reply');
  }

  #enter(progress: Progress, phase: Progress['phase']): void {
    progress.phase = phase;
    progress.sinceMs = this.#options.clock.now();
  }

  #sweep(): void {
    const now = this.#options.clock.now();
    for (const [socket, progress] of this.#connections) {
      const { phase, sinceMs, isOver } = progress;
      if (isOver) socket.destroy();
      else if (phase === 'head' && now - sinceMs >= NEXT_HEAD_MS) this.#end(socket, 'head');
      else if (phase === 'body' && now - sinceMs >= BODY_MS) this.#late(socket, progress);
    }
  }

  #late(socket: Socket, progress: Progress): void {
    if (progress.isOver) return;
    progress.isOver = true;
    this.#options.cut?.add('body');
    if (!this.#options.answerLate(socket)) socket.destroy();
  }

  #end(socket: Socket, phase: TimeoutPhase): void {
    this.#options.cut?.add(phase);
    socket.destroy();
  }
}
