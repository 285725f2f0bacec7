import type { ClientMessage, ErrorValue, ServerMessage } from '../../src-preload/contract/index.ts';
import type { ProcessNews, ProcessRequest } from '../lib/process-messages.ts';

/** What the server thread is started with (`workerData`). */
export interface ThreadStart {
  /** Folder of configuration and database. */
  readonly dataDir: string;
  /** Configuration file; null for the one in the data folder. */
  readonly configFile: string | null;
  /** Whether the window has the sandbox of Chromium. */
  readonly hasSandbox: boolean;
}

/** What the window thread sends to the server thread: the messages of a desk, news of processes, and the wish to stop. */
export type ToThread = ClientMessage | ProcessNews | { readonly kind: 'stop' };

/** What the server thread says to its supervisor: the messages for a desk, and how its start went. */
export type SupervisorMessage =
  | ServerMessage
  /** Media of a tile; its memory is handed over. */
  | { readonly kind: 'feed-frame'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly error: ErrorValue };

/** What the server thread says of feeds, and their media. */
export type FeedNews = Extract<SupervisorMessage, { readonly kind: 'feed' | 'feed-frame' }>;

/** Everything that the server thread sends. */
export type FromThread = SupervisorMessage | ProcessRequest;

/** A running server thread, as far as its supervisor needs it. */
export interface ServerThread {
  post(message: ToThread): void;
  /** Ends the thread without asking it; for one that failed and does not go. */
  kill(): void;
}

/** Receives what happens to a server thread. `ended` comes once, last. */
export interface ThreadListener {
  message(message: SupervisorMessage): void;
  ended(reason: string): void;
}
