import type { Bridge, Reply, ServerInfo } from '../../src-preload/contract/index.ts';
import { unanswered } from './bridge-messages.ts';
import type { FeedLink } from './feed-link.ts';
import type { DeskLogin } from './desk-login.ts';
import { LINK } from './error-texts.ts';

/** Phase of the connection: `connecting` before the first answer, `stale` when the data on screen is out of date. */
type LinkPhase = 'connecting' | 'live' | 'stale';

/** State of the connection between desk and server, as the desk shows it. */
export interface LinkState {
  readonly phase: LinkPhase;
  /** Epoch milliseconds of the last message from the server; null before the first. */
  readonly receivedAtMs: number | null;
  /** Epoch milliseconds of the next attempt; null during an attempt or if none is needed. */
  readonly retryAtMs: number | null;
  /** Whether the server requires a login for the connection. */
  readonly mustLogIn: boolean;
}

/** Bridge of the desk: calls, topics and the state of the connection. */
export interface DeskBridge extends Bridge {
  /** Media of tiles over the connection of the desk; absent if it carries no media. */
  readonly feeds?: FeedLink;
  /** Login and logout; absent if no login is needed. */
  readonly login?: DeskLogin;
  readonly link: LinkState;
  /** Calls back with every change of the connection. @returns function that removes the listener */
  onLink(listener: (link: LinkState) => void): () => void;
  /** Calls back with every answer to the heartbeat. @returns function that removes the listener */
  onInfo(listener: (info: ServerInfo) => void): () => void;
  /** Base address of media: as the server reports it, or the origin of the page. No trailing slash. */
  mediaBase(info: ServerInfo): string;
  /** Connects now instead of at the next attempt. */
  retryNow(): void;
  close(): void;
}

/** Interval of the heartbeat, in milliseconds. */
export const HEARTBEAT_MS = 1_000;
/** Silence of the server after which the desk shows its data as stale, in milliseconds. */
export const STALE_MS = 2_500;
/** Silence of the server after which the connection counts as lost, in milliseconds. */
export const SILENCE_LIMIT_MS = 7_000;
/** Maximum duration of a call, in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000;

/** Answer to a call, or a timeout error after `CALL_TIMEOUT_MS`. */
export async function withTimeout<T>(answer: Promise<Reply<T>>): Promise<Reply<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Reply<T>>((resolve) => {
    timer = setTimeout(() => resolve(unanswered(LINK.noAnswer)), CALL_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Listeners and the last state of the connection; shared by both transports. */
export class LinkBoard {
  #link: LinkState = { phase: 'connecting', receivedAtMs: null, retryAtMs: null, mustLogIn: false };
  readonly #linkListeners = new Set<(link: LinkState) => void>();
  readonly #infoListeners = new Set<(info: ServerInfo) => void>();

  get link(): LinkState {
    return this.#link;
  }

  /** Changes the state, and calls the listeners if the operator can see the difference. */
  set(change: Partial<LinkState>): void {
    const before = this.#link;
    this.#link = { ...before, ...change };
    if (
      before.phase === this.#link.phase &&
      before.retryAtMs === this.#link.retryAtMs &&
      before.mustLogIn === this.#link.mustLogIn
    )
      return;
    for (const listener of this.#linkListeners) listener(this.#link);
  }

  info(info: ServerInfo): void {
    for (const listener of this.#infoListeners) listener(info);
  }

  onLink(listener: (link: LinkState) => void): () => void {
    this.#linkListeners.add(listener);
    return () => this.#linkListeners.delete(listener);
  }

  onInfo(listener: (info: ServerInfo) => void): () => void {
    this.#infoListeners.add(listener);
    return () => this.#infoListeners.delete(listener);
  }
}
