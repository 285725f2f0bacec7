import { z } from 'zod';
import type { CallInput, CallName, CallOutput } from './calls.ts';
import type { ErrorValue } from './errors.ts';
import { FEED_MESSAGES, type FeedState } from './feed.ts';
import type { TopicName, TopicPayload } from './topics.ts';

/** A reply of the bridge: errors are values, so that codes survive every transport. */
export type Reply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorValue };

/** The typed bridge between desk and server: two verbs. The preload implements it over IPC, the browser over WebSocket. */
export interface Bridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Reply<CallOutput<N>>>;
  /** Subscribes; returns the function that ends the subscription. */
  on<N extends TopicName>(topic: N, listener: (payload: TopicPayload<N>) => void): () => void;
}

/** The bridge as the preload puts it into the window. */
export interface WindowBridge extends Bridge {
  /** Asks for the port that carries the media of tiles: it comes as a message of the window, named as its IPC channel. */
  openFeeds(): void;
}

/** What a desk in a browser sends over its WebSocket (at `/-/bridge`), as JSON text. */
export const clientMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), id: z.number().int(), name: z.string(), input: z.unknown() }),
  z.object({ kind: z.literal('subscribe'), topic: z.string() }),
  z.object({ kind: z.literal('unsubscribe'), topic: z.string() }),
  ...FEED_MESSAGES,
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

/** What the server sends back over the WebSocket as JSON text; the media of feeds comes between as binary messages (`feed.ts`). */
export type ServerMessage =
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply<unknown> }
  | { readonly kind: 'event'; readonly topic: string; readonly payload: unknown }
  | ({ readonly kind: 'feed'; readonly feed: number } & FeedState);
