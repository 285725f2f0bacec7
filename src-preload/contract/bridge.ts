import { z } from 'zod';
import type { CallInput, CallName, CallOutput } from './calls.ts';
import type { ErrorValue } from './errors.ts';
import { FEED_MESSAGES, type FeedState } from './feed.ts';
import type { TopicName, TopicPayload } from './topics.ts';

/** Reply of the bridge. Errors are values, so that their codes are preserved on every transport. */
export type Reply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorValue };

/**
 * Typed bridge between desk and server, with calls and subscriptions. The preload script implements it over IPC, the browser
 * over WebSocket.
 */
export interface Bridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>>;
  /** Subscribes to a topic. @returns function that ends the subscription */
  on<N extends TopicName>(topic: N, listener: (payload: TopicPayload<N>) => void): () => void;
}

/** Bridge that the preload script adds to the window. */
export interface WindowBridge extends Bridge {
  /** Requests the port that carries the media of tiles. It arrives as a window message named like its IPC channel. */
  openFeeds(): void;
}

/** Message of a desk in a browser over its WebSocket (`/-/bridge`), as JSON text. */
export const clientMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.number().int(), name: z.string(), input: z.unknown() }),
  z.object({ kind: z.literal('subscribe'), topic: z.string() }),
  z.object({ kind: z.literal('unsubscribe'), topic: z.string() }),
  ...FEED_MESSAGES,
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** Message of the server over the WebSocket, as JSON text. Media of feeds travels in binary messages between them (`feed.ts`). */
export type ServerMessage =
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply<unknown> }
  | { readonly kind: 'event'; readonly topic: string; readonly payload: unknown }
  | ({ readonly kind: 'feed'; readonly feed: number } & FeedState);
