import { z } from 'zod';
import type { HttpOperation, Operation, OperationTable } from '../../../src-preload/contract/operations/operation.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { Caller } from '../../operators/caller.ts';
import { bodyOf, queryOf } from './checked.ts';
import type { BodyDoc, Endpoint, ParameterDoc } from './endpoint.ts';
import { jsonSchemaOf, type Json } from './json-schema.ts';

/** Facts that the operations of one API share. */
interface Shared {
  readonly tag: string;
  /** Maximum size of a body, in bytes. */
  readonly limitBytes: number;
}

/**
 * Endpoints of operations. Fields of an input that are not in the path are query parameters of GET and DELETE, and fields of the
 * body otherwise.
 */
export function endpointsOf<T extends OperationTable>(
  operations: T,
  handlers: Handlers<T>,
  shared: Shared,
): Endpoint[] {
  return Object.entries<Operation>(operations).flatMap(([name, operation]) => {
    // The input is checked by the schema of the operation, and its output is JSON. TypeScript cannot follow this through the table.
    const run = handlers[name] as unknown as (input: object, caller: Caller) => Promise<Json>;
    return operation.http ? [endpointOf(operation, operation.http, run, shared)] : [];
  });
}

function endpointOf(
  { input, output, access, about }: Operation,
  { id, at, summary, description, status: success, answer, isBodyOptional }: HttpOperation,
  run: (input: object, caller: Caller) => Promise<Json>,
  { tag, limitBytes }: Shared,
): Endpoint {
  // The type of `at` has exactly one space.
  const [method, path] = at.split(' ') as [Endpoint['method'], string];
  const status = output instanceof z.ZodObject && Object.keys(output.shape).length === 0 ? 204 : (success ?? 200);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const left: Record<string, true> = Object.fromEntries(inPath.map((name) => [name, true]));
  const rest = input.omit(left);
  const fields = Object.keys(rest.shape);
  const isInQuery = method === 'GET' || method === 'DELETE';
  const body: BodyDoc | undefined =
    isInQuery || fields.length === 0 ? undefined : { schema: rest, limitBytes, isRequired: !isBodyOptional };
  const parameter = (name: string, place: 'path' | 'query'): ParameterDoc => {
    const { description: text = '', ...schema } = jsonSchemaOf(input.shape[name] as z.ZodType);
    return { name, in: place, description: text, schema: place === 'path' ? { type: 'string' } : schema };
  };
  return {
    id,
    method,
    path,
    summary,
    ...(description === undefined ? {} : { description }),
    tag,
    access,
    ...(about === 'server' ? {} : { isScoped: true }),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(isInQuery ? fields.map((name) => parameter(name, 'query')) : []),
    ],
    ...(body ? { body } : {}),
    replies: { [status]: { description: answer, ...(status === 204 ? {} : { schema: output }) } },
    handle: async ({ caller, params, query, body: sent }) => {
      const others = isInQuery ? queryOf(rest, query) : bodyOf(rest, sent ?? {});
      const value = await run({ ...others, ...params }, caller);
      return status === 204 ? { status } : { status, body: value };
    },
  };
}
