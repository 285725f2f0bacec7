import type { EventEmitter } from '../events/event-bus.ts';
import type { Caller } from '../operators/caller.ts';

/** A request that may have changed something. */
export interface ApiCall {
  /** Method of HTTP, or `CALL` for a call of the desk. */
  readonly method: string;
  /** Address, or name of the call. What follows a `?` is left out: there may be secrets in it. */
  readonly path: string;
  /** Status of the answer. */
  readonly status: number;
  readonly durationMs: number;
  readonly userAgent?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Emits an event for a request that may change something; there is none for reading. */
export function emitApiCall(
  events: EventEmitter,
  caller: Pick<Caller, 'who' | 'address'>,
  { method, path, status, durationMs, userAgent, traceId }: ApiCall,
): void {
  events.emit('api_call', {
    method,
    path: path.split('?', 1)[0] ?? '',
    status,
    user: caller.who,
    ip: caller.address === '' ? null : caller.address,
    user_agent: userAgent ?? null,
    duration_ms: Math.round(durationMs * 10) / 10,
    trace_id: traceId ?? null,
  });
}
