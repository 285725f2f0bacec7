import type { WebSocket } from 'ws';
import {
  AirdeskError,
  clientMessageSchema,
  type ClientMessage,
  type ServerMessage,
} from '../../src-preload/contract/index.ts';
import type { Caller } from '../operators/caller.ts';
import type { Desk } from '../control/desk.ts';
import { CallLimit } from '../lib/limits/call-limit.ts';
import { nextTurn } from '../lib/turns.ts';

export type DeskCalls = Pick<Desk, 'call' | 'subscribe'> & Partial<Pick<Desk, 'feeds'>>;

/** Limits of parallel and of waiting calls of one desk. A desk that a person uses needs only a few. */
const CALLS = { atOnce: 4, waiting: 64 };
/** Size of a call above which it is checked in a separate turn, in bytes. */
const LONG_BYTES = 64 * 1024;
/** Queued bytes of a desk above which its messages are no longer read. */
const PAUSE_BYTES = 1024 * 1024;
/** Queued bytes of a desk above which it is disconnected, because it does not read them. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;

/** Refusal that is created once, so that a flood of calls costs no more than reading them. */
const REFUSAL = {
  ok: false,
  error: new AirdeskError('too_many_calls', `More than ${CALLS.waiting} calls of this desk are waiting`).toValue(),
} as const;

/**
 * Desk at the other end of a WebSocket. A call occupies its place until its answer is sent, so a desk that calls faster than it
 * reads only keeps a few answers in memory. Calls for which there is no waiting place are refused with `too_many_calls`.
 */
export class DeskConnection {
  readonly #socket: WebSocket;
  readonly #desk: DeskCalls;
  readonly #caller: Caller;
  readonly #limit = new CallLimit(CALLS);
  readonly #subscriptions = new Map<string, (() => void) | undefined>();
  readonly #feeds: ReturnType<Desk['feeds']> | undefined;
  readonly #left = new AbortController();

  constructor(socket: WebSocket, desk: DeskCalls, caller: Caller) {
    this.#socket = socket;
    this.#desk = desk;
    this.#caller = caller;
    this.#feeds = desk.feeds?.(caller, {
      get isFull() {
        return socket.readyState !== socket.OPEN || socket.bufferedAmount > PAUSE_BYTES;
      },
      state: (feed, state) => void this.#send({ kind: 'feed', feed, ...state }),
      frame: (head, media, done) => {
        if (socket.readyState !== socket.OPEN) {
          done();
          return;
        }
        // Two fragments of one message (RFC 6455 section 5.4), so that the media is not copied.
        socket.send(head, { binary: true, fin: false });
        socket.send(media, { binary: true, fin: true }, done);
      },
    });
    socket.on('message', (data: Buffer) => {
      const message = readMessage(data);
      if (message) this.#handle(message, data.length);
    });
    socket.on('close', () => {
      this.#left.abort();
      this.#limit.clear();
      this.#feeds?.close();
      for (const end of this.#subscriptions.values()) end?.();
      this.#subscriptions.clear();
    });
    socket.on('error', () => {
      socket.terminate();
    });
  }

  #handle(message: ClientMessage, bytes: number): void {
    switch (message.kind) {
      case 'call':
        if (!this.#limit.take(() => this.#answer(message, bytes))) this.#refuse(message.id);
        return;
      case 'subscribe':
        this.#subscribe(message.topic);
        return;
      case 'unsubscribe':
        this.#subscriptions.get(message.topic)?.();
        this.#subscriptions.delete(message.topic);
        return;
      default:
        this.#feeds?.handle(message);
    }
  }

  async #answer({ id, name, input }: Extract<ClientMessage, { kind: 'call' }>, bytes: number): Promise<void> {
    // Parsing took one turn, and checking takes another one.
    if (bytes > LONG_BYTES) await nextTurn();
    const reply = await this.#desk.call(name, input, this.#caller, () => this.#left.signal);
    await this.#send({ kind: 'reply', id, reply });
  }

  #refuse(id: number): void {
    void this.#send({ kind: 'reply', id, reply: REFUSAL });
  }

  /** Subscribes to a topic. The first message contains the complete state, so it waits for its turn like a call. */
  #subscribe(topic: string): void {
    if (this.#subscriptions.has(topic)) return;
    const isTaken = this.#limit.take(async () => {
      // Before its turn, the subscription may have ended, or may have ended and started again.
      if (!this.#subscriptions.has(topic) || this.#subscriptions.get(topic)) return;
      let snapshot: Promise<void> | undefined;
      const listener = (payload: unknown): Promise<void> => {
        const sent = this.#send({ kind: 'event', topic, payload });
        snapshot ??= sent;
        return sent;
      };
      const end = this.#desk.subscribe(topic, listener, this.#caller);
      if (end) this.#subscriptions.set(topic, end);
      else this.#subscriptions.delete(topic);
      await snapshot;
    });
    if (isTaken) this.#subscriptions.set(topic, undefined);
  }

  /** Resolves when the message is sent, or the connection is closed. */
  #send(message: ServerMessage): Promise<void> {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    if (socket.bufferedAmount > MAX_QUEUED_BYTES) {
      socket.terminate();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      socket.send(JSON.stringify(message), () => {
        resolve();
        if (socket.isPaused && socket.bufferedAmount <= PAUSE_BYTES) socket.resume();
      });
      if (socket.bufferedAmount > PAUSE_BYTES) socket.pause();
    });
  }
}

function readMessage(data: Buffer): ClientMessage | undefined {
  try {
    return clientMessageSchema.safeParse(JSON.parse(data.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
