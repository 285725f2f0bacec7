import type { z } from 'zod';
import { readerView } from '../../operators/reader-view.ts';
import type { Caller } from '../../operators/caller.ts';
import { requireInScope } from '../../operators/require.ts';
import {
  PiecesBody,
  type Answer,
  type Endpoint,
  type EndpointRequest,
  type ParameterDoc,
} from '../endpoints/endpoint.ts';
import { type Json } from '../endpoints/json-schema.ts';
import type { QueryParameter } from '../endpoints/query-string.ts';
import { inQuery } from '../endpoints/parameters.ts';

/** Media types of a text body. `curl --data` sends it as a form. */
export const TEXT_TYPES = ['text/plain', 'application/x-www-form-urlencoded'];

/** Names of streams, separated by commas. */
export const NAMES: ParameterDoc = inQuery('name', 'names separated by commas; unknown names are ignored');

/** Answer with a value of the contract, as JSON. */
export function ok(value: object | boolean): Answer {
  return {
    status: 200,
    // Values of the contract are JSON.
    body: value instanceof PiecesBody ? value : (value as Json),
  };
}

/** Value as JSON text, reduced for read-only callers. */
export function jsonFor({ mayWrite }: Caller, value: object): string {
  return JSON.stringify(mayWrite ? value : readerView(value));
}

/** Last value of a parameter; undefined if it is absent or empty. */
export function parameterOf(query: readonly QueryParameter[], parameterName: string): string | undefined {
  return query.findLast(({ name }) => name === parameterName)?.value || undefined;
}

/** Stream name at the end of a path. */
export function nameOf(params: Readonly<Record<string, string>>): string {
  return params['name'] ?? '';
}

/** Endpoint for an action on the stream in the address. It accepts GET and POST, because tools for the legacy API use both. */
export function streamAction(
  {
    schema,
    ...described
  }: Pick<Endpoint, 'path' | 'id' | 'summary' | 'parameters' | 'errors'> & {
    readonly access: 'operate' | 'edit';
    readonly schema: z.ZodType;
  },
  act: (name: string, request: EndpointRequest) => object | boolean | Promise<object | boolean>,
): Endpoint[] {
  const row = {
    ...described,
    tag: 'legacy',
    isScoped: true,
    replies: { 200: { description: 'Done', schema: schema } },
    handle: async (request: EndpointRequest) => {
      const name = nameOf(request.params);
      requireInScope(request.caller, name);
      return ok(await act(name, request));
    },
  } as const;
  return [
    { ...row, method: 'POST', body: { schema: {}, types: ['application/json', ...TEXT_TYPES], isRequired: false } },
    { ...row, method: 'GET', id: `${row.id}_by_get`, isDeprecated: true, isAction: true },
  ];
}
