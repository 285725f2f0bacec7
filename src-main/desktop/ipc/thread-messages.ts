import type { ClientMessage, ErrorValue, ServerMessage } from '../../../src-preload/contract/index.ts';
import type { ProcessEvent, ProcessRequest } from '../../lib/process-messages.ts';

/** Start data of the server thread (`workerData`). */
export interface ThreadStart {
  /** Folder of configuration and database. */
  readonly dataDir: string;
  /** Configuration file; null for the file in the data folder. */
  readonly configFile: string | null;
  /** True if the file was opened by a double click, so it is not trusted. */
  readonly isConfigOpened: boolean;
  /** True if the window has Chromium's sandbox. */
  readonly hasSandbox: boolean;
}

/**
 * Messages from the window thread to the server thread: messages of a desk, events of codec processes, and the request
 * to stop.
 */
export type ToThread = ClientMessage | ProcessEvent | { readonly kind: 'stop' };

/** Messages from the server thread to its supervisor: messages for a desk, and the result of the start. */
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

/** A running server thread. */
export interface ServerThread {
  post(message: ToThread): void;
  /** Kills a failed thread that does not exit. */
  kill(): void;
}

/** Callbacks of a server thread. `ended` is called once, as the last call. */
export interface ThreadListener {
  message(message: SupervisorMessage): void;
  ended(reason: string): void;
}
