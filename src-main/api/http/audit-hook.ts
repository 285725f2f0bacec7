import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { emitApiCall } from '../../control/api-call.ts';
import type { CallSubject } from '../../control/call-subject.ts';
import type { Caller } from '../../operators/caller.ts';
import type { EventEmitter } from '../../control/system/event-services.ts';

/** Finds the names of the objects that an operation changes, because the input may only contain their ids. */
export type FindSubject = (operation: string, input: object) => Promise<CallSubject>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Function that finds names; absent if no events are emitted. */
    findSubject?: FindSubject | undefined;
  }
}

interface Audited {
  readonly caller: Caller;
  operation?: string;
  subject?: Promise<CallSubject> | undefined;
}

const AUDITED = new WeakMap<IncomingMessage, Audited>();

/** Records the caller of a request that may change something. The event is emitted after the answer. */
export function noteCaller(request: IncomingMessage, caller: Caller): void {
  AUDITED.set(request, { caller });
}

/**
 * Records the operation of a request. Call it before the change, because after a removal the name of an object cannot be found.
 */
export function noteOperation({ raw, server }: FastifyRequest, operation: string, input: object): void {
  const audited = AUDITED.get(raw);
  if (!audited) return;
  audited.operation = operation;
  audited.subject = server.findSubject?.(operation, input);
}

/** Emits an event for every request that may change something. */
export function auditRequests(app: FastifyInstance, events: EventEmitter, findSubject?: FindSubject): void {
  app.decorate('findSubject', findSubject);
  app.addHook('onResponse', async (request, reply) => {
    const audited = AUDITED.get(request.raw);
    const traceId = request.headers['x-trace-id'];
    if (!audited) return;
    const durationMs = reply.elapsedTime;
    emitApiCall(events, audited.caller, {
      method: request.method,
      path: request.url,
      operation: audited.operation,
      subject: await audited.subject,
      status: reply.statusCode,
      durationMs,
      userAgent: request.headers['user-agent'],
      traceId: typeof traceId === 'string' ? traceId : undefined,
    });
  });
}
