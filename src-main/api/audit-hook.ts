import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { emitApiCall } from '../control/api-call.ts';
import type { Caller } from '../operators/caller.ts';
import type { EventEmitter } from '../control/event-services.ts';

const CALLERS = new WeakMap<IncomingMessage, Caller>();

/** Records the caller of a request that may change something. The event is emitted after the answer. */
export function noteCaller(request: IncomingMessage, caller: Caller): void {
  CALLERS.set(request, caller);
}

/** Emits an event for every request that may change something. */
export function auditRequests(app: FastifyInstance, events: EventEmitter): void {
  app.addHook('onResponse', (request, reply, done) => {
    const caller = CALLERS.get(request.raw);
    const traceId = request.headers['x-trace-id'];
    if (caller) {
      emitApiCall(events, caller, {
        method: request.method,
        path: request.url,
        status: reply.statusCode,
        durationMs: reply.elapsedTime,
        userAgent: request.headers['user-agent'],
        traceId: typeof traceId === 'string' ? traceId : undefined,
      });
    }
    done();
  });
}
