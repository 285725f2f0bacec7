import type {
  CallInput,
  CallName,
  CallOutput,
  ClientMessage,
  Reply,
  ServerInfo,
  TopicName,
  TopicPayload,
} from '../../src-preload/contract/index.ts';
import { FeedBoard } from './feed-link.ts';
import type { DeskLogin } from './desk-login.ts';
import { ReconnectDelay } from './reconnect-delay.ts';
import { readServerMessage, readTopic, readReply, unanswered, unavailable } from './bridge-messages.ts';
import { HEARTBEAT_MS, withTimeout, LinkBoard, SILENCE_LIMIT_MS, STALE_MS } from './link.ts';
import type { DeskBridge, LinkState } from './link.ts';
import { LINK } from './error-texts.ts';

/** Longest attempt to connect to a server that has not answered the attempts before, in milliseconds. */
const MAX_OPEN_LIMIT_MS = 20_000;

/** Part of a WebSocket that the bridge uses. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

/** Callbacks of a socket. Never called before `open` has returned. */
export interface SocketHandlers {
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

/** Dependencies of a `SocketBridge`. */
export interface SocketBridgeOptions {
  /** Opens a connection to the bridge of the server. */
  readonly open: (handlers: SocketHandlers) => Socket;
  /** Base address of the media. */
  readonly mediaBase: string;
  readonly login?: DeskLogin;
  /** Whether the server refuses connections without a login; then no connection is tried before the login. */
  readonly mustLogIn?: boolean;
  readonly now?: () => number;
  readonly random?: () => number;
}

/** Bridge over a WebSocket, for the desk in a browser. Reconnects by itself and renews its subscriptions. */
export class SocketBridge implements DeskBridge {
  readonly #options: SocketBridgeOptions;
  readonly #now: () => number;
  readonly #board = new LinkBoard();
  readonly #delay: ReconnectDelay;
  /** Pending calls by number. */
  readonly #pending = new Map<number, (reply: Reply<unknown>) => void>();
  readonly #topics = new Map<TopicName, Set<(payload: never) => void>>();
  /** Media of tiles, over the same connection. */
  readonly feeds = new FeedBoard((message) => {
    if (this.#isOpen) this.#send(message);
  });
  readonly login?: DeskLogin;
  #socket: Socket | null = null;
  #isOpen = false;
  #nextId = 1;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #lastTrafficMs = 0;
  #isBeating = false;
  #isClosed = false;
  /** Maximum duration of an attempt to connect, in milliseconds. */
  #openLimitMs = SILENCE_LIMIT_MS;

  constructor(options: SocketBridgeOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#delay = new ReconnectDelay({
      firstMs: 500,
      maxMs: 1000,
      ...(options.random ? { random: options.random } : {}),
    });
    if (options.login) this.login = options.login;
    if (options.mustLogIn) this.#board.set({ mustLogIn: true });
    else this.#connect();
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  get link(): LinkState {
    return this.#board.link;
  }

  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>> {
    if (!this.#isOpen) return unavailable(LINK.none);
    const id = this.#nextId++;
    const answer = new Promise<Reply<unknown>>((resolve) => {
      this.#pending.set(id, resolve);
      this.#send({ kind: 'call', id, name, input });
    });
    const reply = await withTimeout(answer);
    this.#pending.delete(id);
    return readReply(name, reply);
  }

  on<N extends TopicName>(topic: N, listener: (payload: TopicPayload<N>) => void): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    if (listeners.size === 0) this.#topics.set(topic, listeners);
    // Each topic only delivers payloads of its own schema; the type of the map cannot express that.
    listeners.add(listener as (payload: never) => void);
    // Each listener gets a subscription of its own, because only the first message after a subscription contains everything.
    if (this.#isOpen && listeners.size > 1) this.#send({ kind: 'unsubscribe', topic });
    if (this.#isOpen) this.#send({ kind: 'subscribe', topic });
    return () => {
      listeners.delete(listener as (payload: never) => void);
      if (listeners.size > 0 || this.#topics.get(topic) !== listeners) return;
      this.#topics.delete(topic);
      if (this.#isOpen) this.#send({ kind: 'unsubscribe', topic });
    };
  }

  onLink(listener: (link: LinkState) => void): () => void {
    return this.#board.onLink(listener);
  }

  onInfo(listener: (info: ServerInfo) => void): () => void {
    return this.#board.onInfo(listener);
  }

  mediaBase(): string {
    return this.#options.mediaBase;
  }

  retryNow(): void {
    if (!this.#isOpen) this.reconnect();
  }

  /** Reconnects with the present login. */
  reconnect(): void {
    this.#drop();
    if (!this.#isClosed) this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    this.#drop();
  }

  #connect(): void {
    clearTimeout(this.#retryTimer);
    this.#board.set({ retryAtMs: null, mustLogIn: false });
    this.#lastTrafficMs = this.#now();
    // Messages of a dropped socket are ignored.
    const isCurrent = (): boolean => this.#socket === socket;
    const socket: Socket = this.#options.open({
      onOpen: () => isCurrent() && this.#opened(),
      onMessage: (data) => isCurrent() && this.#receive(data),
      onClose: () => isCurrent() && this.#lost(),
    });
    this.#socket = socket;
  }

  #opened(): void {
    // Not live yet: only an answer proves that the server runs.
    this.#isOpen = true;
    this.#openLimitMs = SILENCE_LIMIT_MS;
    this.#lastTrafficMs = this.#now();
    for (const topic of this.#topics.keys()) this.#send({ kind: 'subscribe', topic });
    this.feeds.connected();
    this.#beat();
  }

  #received(): void {
    this.#lastTrafficMs = this.#now();
    this.#board.set({ phase: 'live', receivedAtMs: this.#lastTrafficMs });
  }

  #receive(data: unknown): void {
    this.#received();
    if (data instanceof ArrayBuffer) {
      this.feeds.frame(data);
      return;
    }
    const message = readServerMessage(data);
    if (message?.kind === 'feed') this.feeds.state(message.feed, message.state);
    if (message?.kind === 'reply') this.#pending.get(message.id)?.(message.reply);
    if (message?.kind !== 'event') return;
    const event = readTopic(message.topic, message.payload);
    if (!event) return;
    for (const listener of this.#topics.get(event.topic) ?? []) listener(event.payload as never);
  }

  #beat(): void {
    // An unplugged cable does not close the socket, so silence is the only sign of it.
    const silentMs = this.#now() - this.#lastTrafficMs;
    if (this.#socket && silentMs > (this.#isOpen ? SILENCE_LIMIT_MS : this.#openLimitMs)) {
      // A busy server may need longer to accept a connection.
      if (!this.#isOpen) this.#openLimitMs = Math.min(2 * this.#openLimitMs, MAX_OPEN_LIMIT_MS);
      this.#lost();
    }
    if (!this.#isOpen) return;
    if (silentMs > STALE_MS && this.#board.link.phase === 'live') this.#board.set({ phase: 'stale' });
    if (this.#isBeating) return;
    this.#isBeating = true;
    void this.call('server.info', {}).then((reply) => {
      this.#isBeating = false;
      if (!reply.ok) return;
      this.#delay.reset();
      this.#board.info(reply.value);
    });
  }

  #lost(): void {
    this.#drop();
    if (this.#isClosed) return;
    const waitMs = this.#delay.next();
    this.#retryTimer = setTimeout(() => this.#connect(), waitMs);
    const phase = this.#board.link.receivedAtMs === null ? 'connecting' : 'stale';
    this.#board.set({ phase, retryAtMs: this.#now() + waitMs });
    // The browser does not tell a page why a connection was refused.
    void this.login?.access().then((access) => {
      if (this.#socket || !access || access.mayRead) return;
      // No attempt can succeed before a login.
      clearTimeout(this.#retryTimer);
      this.#board.set({ mustLogIn: true, retryAtMs: null });
    });
  }

  #drop(): void {
    clearTimeout(this.#retryTimer);
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    socket?.close();
    for (const settle of this.#pending.values()) settle(unanswered(LINK.broke));
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }
}
