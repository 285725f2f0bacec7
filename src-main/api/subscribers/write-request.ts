import type { z } from 'zod';
import type { PortalCaller, PortalService } from '../../control/subscribers/portal-service.ts';
import type { Command } from '../../subscribers/command.ts';
import type { Answer, BodyDoc, EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { BODY_BYTES, commandContext } from './portal-request.ts';

export const SUBSCRIBER_PARAMETER: ParameterDoc = {
  name: 'subscriberId',
  in: 'path',
  description: 'id of the subscriber',
  schema: { type: 'string' },
};
export const PACKAGE_PARAMETER: ParameterDoc = {
  name: 'packageId',
  in: 'path',
  description: 'id of the package',
  schema: { type: 'string' },
};

export function writeBody(schema: z.ZodType): BodyDoc {
  return { schema, limitBytes: BODY_BYTES };
}

/** Carries out a command and answers with its object: 201 if it is new, 204 if it is removed. */
export async function writeAnswer(
  service: PortalService,
  caller: PortalCaller,
  request: EndpointRequest,
  method: 'POST' | 'PUT' | 'DELETE',
  command: Command,
): Promise<Answer> {
  const { object, isNew, isReplayed } = await service.command(caller, command, commandContext(request, method));
  const headers: Record<string, string> = isReplayed ? { 'idempotent-replayed': 'true' } : {};
  return object === null || method === 'DELETE'
    ? { status: 204, headers }
    : { status: isNew ? 201 : 200, body: object, headers };
}
