import { z } from 'zod';
import { CALLS, TOPICS, isErrorCode, explanationSchema } from '../../src-preload/contract/index.ts';
import type {
  CallName,
  CallOutput,
  ErrorValue,
  FeedState,
  Reply,
  TopicName,
  TopicPayload,
} from '../../src-preload/contract/index.ts';
import { LINK } from './error-texts.ts';

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  explanation: explanationSchema.optional(),
});

const replySchema = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: errorSchema }),
]);

const feedStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('begin'), tracks: z.array(z.string().max(300)).max(8) }),
  z.object({ state: z.literal('refused'), error: errorSchema }),
]);

const serverMessageSchema = z.union([
  z.object({ kind: z.literal('reply'), id: z.number().int(), reply: replySchema }),
  z.object({ kind: z.literal('event'), topic: z.string(), payload: z.unknown() }),
  z.object({ kind: z.literal('feed'), feed: z.number().int() }).and(feedStateSchema),
]);

/** Message of the server whose envelope was checked. */
export type CheckedMessage =
  | { readonly kind: 'reply'; readonly id: number; readonly reply: Reply<unknown> }
  | { readonly kind: 'event'; readonly topic: string; readonly payload: unknown }
  | { readonly kind: 'feed'; readonly feed: number; readonly state: FeedState };

/** Failure of a call whose answer did not arrive: the server may have executed it. */
export function unanswered(message: string): {
  readonly ok: false;
  readonly error: {
    readonly code: 'unavailable';
    readonly message: string;
    readonly details: { readonly is_unanswered: true };
  };
} {
  return { ok: false, error: { code: 'unavailable', message, details: { is_unanswered: true } } };
}

/** Refusal by the desk itself when it cannot reach the server. */
export function unavailable(message: string): {
  readonly ok: false;
  readonly error: { readonly code: 'unavailable'; readonly message: string };
} {
  return { ok: false, error: { code: 'unavailable', message } };
}

/** Reads the envelope of a message; null if `data` is no message. */
export function readServerMessage(data: unknown): CheckedMessage | null {
  if (typeof data !== 'string') return null;
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return null;
  }
  const read = serverMessageSchema.safeParse(json);
  if (!read.success) return null;
  const { data: checked } = read;
  switch (checked.kind) {
    case 'reply':
      return { kind: 'reply', id: checked.id, reply: checkedReply(checked.reply) };
    case 'feed':
      return {
        kind: 'feed',
        feed: checked.feed,
        state: checked.state === 'begin' ? checked : { state: 'refused', error: checkedError(checked.error) },
      };
    default:
      return checked;
  }
}

function checkedReply(reply: z.infer<typeof replySchema>): Reply<unknown> {
  return reply.ok ? { ok: true, value: reply.value } : { ok: false, error: checkedError(reply.error) };
}

function checkedError({ code, message, details, explanation }: z.infer<typeof errorSchema>): ErrorValue {
  return {
    code: isErrorCode(code) ? code : 'internal',
    message,
    ...(details ? { details } : {}),
    ...(explanation ? { explanation } : {}),
  };
}

/** Reads the value of a reply with the schema of its call. */
export function readReply<N extends CallName>(name: N, reply: Reply<unknown>): Reply<CallOutput<N>> {
  if (!reply.ok) return reply;
  const read = CALLS[name].output.safeParse(reply.value);
  if (!read.success) return { ok: false, error: { code: 'internal', message: LINK.badAnswer } };
  // The schema has the same name as the call; the compiler cannot follow that through the table.
  return { ok: true, value: read.data as CallOutput<N> };
}

/** Reads the payload of an event with the schema of its topic; null for an unknown topic or a payload that does not match. */
export function readTopic(
  topic: string,
  payload: unknown,
): { readonly topic: TopicName; readonly payload: TopicPayload<TopicName> } | null {
  if (!isTopic(topic)) return null;
  const read = TOPICS[topic].safeParse(payload);
  return read.success ? { topic, payload: read.data } : null;
}

function isTopic(topic: string): topic is TopicName {
  return Object.hasOwn(TOPICS, topic);
}
