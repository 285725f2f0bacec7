import type { Bridge, Reply, ServerInfo } from '../../src-preload/contract/index.ts';
import { unavailable } from './bridge-messages.ts';
import type { FeedLink } from './feed-link.ts';
import type { DeskLogin } from './desk-login.ts';
import { LINK } from './error-texts.ts';

/** Whether the server answers: `connecting` before the first answer, `stale` when what is shown is no longer fresh. */
type LinkPhase = 'connecting' | 'live' | 'stale';

/** The connection between desk and server, as the operator sees it. */
export interface LinkState {
  readonly phase: LinkPhase;
  /** Epoch milliseconds of the last word from the server; null before the first. */
  readonly heardAtMs: number | null;
  /** Epoch milliseconds of the next attempt; null while one is under way or none is needed. */
  readonly retryAtMs: number | null;
  /** Whether the server refuses the connection without a login. */
  readonly mustLogIn: boolean;
}

/** The bridge as the desk uses it: the two verbs, and how the connection is. */
export interface DeskBridge extends Bridge {
  /** The media of tiles over the connection of the desk; absent where it carries none. */
  readonly feeds?: FeedLink;
  /** Logging in and out; absent where nobody has to. */
  readonly login?: DeskLogin;
  readonly link: LinkState;
  /** Calls back with every change of the connection; returns the function that ends it. */
  onLink(listener: (link: LinkState) => void): () => void;
  /** Calls back with every answer to the heartbeat; returns the function that ends it. */
  onInfo(listener: (info: ServerInfo) => void): () => void;
  /** Base address of media: what the server says, or where the page came from. Without a slash at its end. */
  mediaBase(info: ServerInfo): string;
  /** Does not wait for the next attempt. */
  retryNow(): void;
  close(): void;
}

/** Interval at which the desk asks whether the server is there, in milliseconds. */
export const HEARTBEAT_MS = 1_000;
/** Silence of the server after which the desk shows its data as stale, in milliseconds. */
export const STALE_MS = 2_500;
/** After so long without a word the connection counts as lost. */
export const SILENCE_LIMIT_MS = 7_000;
/** How long a call may take. */
export const CALL_TIMEOUT_MS = 10_000;

/** The answer to a call, or after `CALL_TIMEOUT_MS` that there was none. */
export async function inTime<T>(answer: Promise<Reply<T>>): Promise<Reply<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Reply<T>>((resolve) => {
    timer = setTimeout(() => resolve(unavailable(LINK.noAnswer)), CALL_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A set of listeners and the last link state: what both transports share. */
export class LinkBoard {
  #link: LinkState = { phase: 'connecting', heardAtMs: null, retryAtMs: null, mustLogIn: false };
  readonly #linkListeners = new Set<(link: LinkState) => void>();
  readonly #infoListeners = new Set<(info: ServerInfo) => void>();

  get link(): LinkState {
    return this.#link;
  }

  /** Changes the state and calls the listeners if the operator could see a difference. */
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
