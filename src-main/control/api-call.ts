import type { EventEmitter } from '../events/event-bus.ts';
import type { Caller } from '../operators/caller.ts';
import type { CallSubject } from './call-subject.ts';

/** Request that may have changed something. */
export interface ApiCall {
  /** HTTP method, or `CALL` for a call of the desk. */
  readonly method: string;
  /** Address, or name of the call. The query is removed, because it may contain secrets. */
  readonly path: string;
  /** Status of the answer. */
  readonly status: number;
  /** Id of the operation in the document of the HTTP API; absent for calls of the desk and unknown addresses. */
  readonly operation?: string | undefined;
  readonly subject?: CallSubject | undefined;
  readonly durationMs: number;
  readonly userAgent?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Emits an event for a request that may change something; none for reading. */
export function emitApiCall(
  events: EventEmitter,
  caller: Pick<Caller, 'who' | 'address'>,
  { method, path, operation, subject, status, durationMs, userAgent, traceId }: ApiCall,
): void {
  events.emit('api_call', {
    method,
    path: path.split('?', 1)[0] ?? '',
    operation: operation ?? null,
    target: subject?.target ?? null,
    parent: subject?.parent ?? null,
    kind: subject?.kind ?? null,
    status,
    user: caller.who,
    ip: caller.address === '' ? null : caller.address,
    user_agent: userAgent ?? null,
    duration_ms: Math.round(durationMs * 10) / 10,
    trace_id: traceId ?? null,
  });
}
