import type { ClientMessage, ErrorValue, ServerMessage } from '../../../src-preload/contract/index.ts';
import type { ProcessNews, ProcessRequest } from '../../lib/process-messages.ts';

/** Start data of the server thread (`workerData`). */
export interface ThreadStart {
  /** Folder of configuration and database. */
  readonly dataDir: string;
  /** Configuration file; null for the file in the data folder. */
  readonly configFile: string | null;
  /** True if it was opened by a double click, so it may come from anywhere. */
  readonly isConfigOpened: boolean;
  /** True if the window has Chromium's sandbox. */
  readonly hasSandbox: boolean;
}

/**
 * Messages from the window thread to the server thread: those of a desk, events of processes, and the request to stop.
 */
export type ToThread = ClientMessage | ProcessNews | { readonly kind: 'stop' };

/** Messages from the server thread to its supervisor: those for a desk, and the result of its start. */
export type SupervisorMessage =
  | ServerMessage
  /** Media of a tile; its memory is transferred. */
  | { readonly kind: 'feed-frame'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly error: ErrorValue };

/** Feed messages of the server thread, and their media. */
export type FeedNews = Extract<SupervisorMessage, { readonly kind: 'feed' | 'feed-frame' }>;

/** All messages of the server thread. */
export type FromThread = SupervisorMessage | ProcessRequest;

/** A running server thread, as its supervisor uses it. */
export interface ServerThread {
  post(message: ToThread): void;
  /** Kills a failed thread that does not exit. */
  kill(): void;
}

/** Callbacks for a server thread. `ended` is called once, last. */
export interface ThreadListener {
  message(message: SupervisorMessage): void;
  ended(reason: string): void;
}
