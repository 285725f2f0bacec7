import { z } from 'zod';
import type { EventEmitter } from '../events/event-bus.ts';
import type { Caller } from '../operators/caller.ts';

/** Request that may have changed something. */
export interface ApiCall {
  /** HTTP method, or `CALL` for a call of the desk. */
  readonly method: string;
  /** Address, or name of the call. The query is left out, because it may contain secrets. */
  readonly path: string;
  /** Status of the answer. */
  readonly status: number;
  /** Names of the objects of a desk call: a stream, a wall, a file; null without one and over HTTP. */
  readonly target?: string | null;
  readonly durationMs: number;
  readonly userAgent?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Emits an event for a request that may change something; none for reading. */
export function emitApiCall(
  events: EventEmitter,
  caller: Pick<Caller, 'who' | 'address'>,
  { method, path, target, status, durationMs, userAgent, traceId }: ApiCall,
): void {
  events.emit('api_call', {
    method,
    path: path.split('?', 1)[0] ?? '',
    target: target ?? null,
    status,
    user: caller.who,
    ip: caller.address === '' ? null : caller.address,
    user_agent: userAgent ?? null,
    duration_ms: Math.round(durationMs * 10) / 10,
    trace_id: traceId ?? null,
  });
}

/** Maximum length of the names of one call in its event, in characters. */
const MAX_TARGET_CHARS = 200;
/** Fields of the input that name the objects of a call. */
const TARGET_FIELDS = ['name', 'names', 'path'] as const;
const subscriberChange = z.object({ change: z.object({ type: z.string() }) });

/**
 * Object names of a desk call, from an unchecked input; null without any. Changes of subscribers have their type
 * instead, because the names are those of people.
 */
export function targetOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null;
  const { data } = subscriberChange.safeParse(input);
  if (data) return data.change.type.slice(0, MAX_TARGET_CHARS);
  for (const field of TARGET_FIELDS) {
    const value: unknown = Reflect.get(input, field);
    const names: readonly unknown[] = Array.isArray(value) ? value.slice(0, 5) : [value];
    const text = names.filter((name) => typeof name === 'string').join(', ');
    if (text !== '') return text.slice(0, MAX_TARGET_CHARS);
  }
  return null;
}
