import { z } from 'zod';
import type { HttpOperation, Operation, OperationTable } from '../../../src-preload/contract/operations/operation.ts';
import type { OperationContext, Handlers } from '../../operators/handlers.ts';
import { changedBy } from '../../operators/caller.ts';
import { requireInputInScope } from '../../control/desk-scope.ts';
import { bodyOf, queryOf } from './checked.ts';
import {
  TextBody,
  type Answer,
  type BodyDoc,
  type BodySchema,
  type Endpoint,
  type EndpointDoc,
  type EndpointRequest,
  type ParameterDoc,
} from './endpoint.ts';
import { IDEMPOTENCY_KEY, type IdempotentAnswers } from './idempotent-answers.ts';
import { jsonSchemaOf, type Json, type JsonObject } from './json-schema.ts';
import { PAGE_PARAMETERS, readListRequest } from './list-request.ts';
import { schemaRef } from './open-api.ts';

/** Options that all operations of one API share. */
interface Shared {
  readonly tag: string;
  /** Maximum size of a body, in bytes; default 1 MiB. */
  readonly limitBytes?: number;
  /** Answers to repeated requests; required by operations with `isIdempotent`. */
  readonly idempotent?: IdempotentAnswers;
  /** Creates the endpoint of an operation that needs a portal key. */
  readonly keyed?: (
    doc: EndpointDoc,
    scope: PortalScope,
    answer: (request: EndpointRequest, portal: PortalCaller) => Promise<Answer>,
  ) => Endpoint;
}
type PortalScope = NonNullable<HttpOperation['key']>;
type PortalCaller = NonNullable<OperationContext['portal']>;

/**
 * Endpoints of operations. Fields of an input that are not in the path become query parameters of GET and DELETE, and body
 * fields of other methods.
 */
export function endpointsOf<T extends OperationTable>(
  operations: T,
  handlers: Handlers<T>,
  shared: Shared,
): Endpoint[] {
  return Object.entries<Operation>(operations).flatMap(([name, operation]) => {
    // The schema of the operation checks the input, and the output is JSON. TypeScript cannot follow this through the table.
    const run = handlers[name] as unknown as (input: object, context: OperationContext) => Json | Promise<Json>;
    return operation.http ? [endpointOf(operation, operation.http, run, shared)] : [];
  });
}

/** Schemas that the endpoints of operations share, by their names in the document. */
export function operationSchemas(operations: OperationTable): Readonly<Record<string, BodySchema>> {
  return Object.fromEntries(
    Object.values<Operation>(operations).flatMap(({ output, http }) =>
      http?.answerSchema === undefined ? [] : [[http.answerSchema, output]],
    ),
  );
}

function endpointOf(
  { input, output, access, about }: Operation,
  http: HttpOperation,
  run: (input: object, context: OperationContext) => Json | Promise<Json>,
  { tag, limitBytes, keyed, idempotent }: Shared,
): Endpoint {
  const { id, at, key, summary, description, errors, answerSchema, bodySchema, location, example } = http;
  // The type of `at` has exactly one space.
  const [method, path] = at.split(' ') as [Endpoint['method'], string];
  const status = output instanceof z.ZodObject && Object.keys(output.shape).length === 0 ? 204 : (http.status ?? 200);
  const inPath = [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => name);
  const left: Record<string, true> = Object.fromEntries(
    [...inPath, ...(key ? ['portalId'] : []), ...(http.isPaged ? ['afterId', 'limit'] : [])].map((name) => [
      name,
      true,
    ]),
  );
  const rest = input.omit(left);
  const fields = Object.keys(rest.shape);
  const isInQuery = method === 'GET' || http.isQueryInPost === true || (method === 'DELETE' && !http.isBodyInDelete);
  const hasBody = status !== 204 && status !== 307;
  // Texts in the path are not checked here, because an archive may be older than the rules for names of streams.
  const numbers = inPath.filter((name) => jsonSchemaOf(input.shape[name] as z.ZodType).type === 'integer');
  const picked: Record<string, true> = Object.fromEntries(numbers.map((name) => [name, true]));
  const numbersInPath = input.pick(picked);
  const body: BodyDoc | undefined =
    isInQuery || fields.length === 0
      ? undefined
      : {
          schema: bodySchema === undefined ? rest : schemaRef(bodySchema),
          ...(limitBytes === undefined ? {} : { limitBytes }),
          ...(example ? { example } : {}),
          isRequired: !http.isBodyOptional,
        };
  const parameter = (name: string, kind: 'path' | 'query'): ParameterDoc => {
    const { description: text = '', ...schema } = jsonSchemaOf(input.shape[name] as z.ZodType);
    // Patterns of names in the path are not part of the document.
    if (kind === 'path')
      return { name, in: kind, description: text, schema: schema.type === 'integer' ? schema : { type: 'string' } };
    const isRequired = !(input.shape[name] as z.ZodType).safeParse(undefined).success;
    return { name, in: kind, description: text, schema, isRequired };
  };
  const doc: EndpointDoc = {
    id,
    method,
    path,
    summary,
    ...(description === undefined ? {} : { description }),
    tag,
    parameters: [
      ...inPath.map((name) => parameter(name, 'path')),
      ...(isInQuery ? fields.map((name) => parameter(name, 'query')) : []),
      ...(http.isPaged ? PAGE_PARAMETERS : []),
      ...(http.isIdempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body ? { body } : {}),
    ...(errors ? { errors } : {}),
    replies: {
      [status]: {
        description: http.answer,
        ...(hasBody ? { schema: answerSchema === undefined ? output : schemaRef(answerSchema) } : {}),
        ...(http.type === undefined ? {} : { type: http.type }),
      },
    },
  };
  const answer = async (request: EndpointRequest, portal?: PortalCaller): Promise<Answer> => {
    const { caller, url, params, query, body: sent, left } = request;
    if (http.isPaged) return pageAnswer(request, portal);
    const others = isInQuery
      ? queryOf(rest, query)
      : body
        ? bodyOf(rest, http.isBodyOptional ? (sent ?? {}) : sent)
        : {};
    const counted = queryOf(
      numbersInPath,
      numbers.map((name) => ({ name, value: params[name] })),
    );
    const given = { ...others, ...params, ...counted, ...(portal ? { portalId: portal.portalId } : {}) };
    if (!portal) requireInputInScope(caller, about, given);
    const value = await run(given, { caller, by: changedBy(caller, 'api'), left, ...(portal ? { portal } : {}) });
    if (!hasBody) return { status, headers: headersOf(http.headers, value) };
    if (http.type !== undefined && typeof value === 'string')
      return {
        status,
        body: new TextBody(value, http.type.startsWith('text/') ? `${http.type}; charset=utf-8` : http.type),
      };
    if (location === undefined) return { status, body: value };
    return { status, body: value, headers: { location: prefixOf(url, path) + filledPath(location, value) } };
  };
  const pageAnswer = async (request: EndpointRequest, portal?: PortalCaller): Promise<Answer> => {
    const { caller, params, query } = request;
    const portalId = portal?.portalId ?? params['portalId'] ?? '';
    const names = Object.fromEntries(fields.map((name) => [name, false]));
    const list = readListRequest(request, portalId, [id, ...Object.values(params)].join(' '), names);
    const filters = queryOf(
      rest,
      query.filter(({ name }) => Object.hasOwn(names, name)),
    );
    const given = { ...filters, ...params, portalId, afterId: list.afterId, limit: list.limit };
    const value = await run(given, { caller, by: changedBy(caller, 'api') });
    // The output of a list is an object whose field `next` is an id or null.
    const page = value as JsonObject & { readonly next: string | null };
    return { status, body: { ...page, next: page.next === null ? null : list.cursorAfter(page.next) } };
  };
  if (key && keyed) return keyed(doc, key, answer);
  return {
    ...doc,
    access,
    ...(about === 'server' ? {} : { isScoped: true }),
    handle: (request) => {
      // If the address is sufficient for the decision, the request is refused before the body is checked.
      if (about === 'server' || inPath.includes('name')) requireInputInScope(request.caller, about, request.params);
      return http.isIdempotent && idempotent ? idempotent.answer(request, () => answer(request)) : answer(request);
    },
  };
}

/** Prefix of a request: its path without the segments of its endpoint. */
function prefixOf(url: string, path: string): string {
  const segments = (url.split('?', 1)[0] ?? '').split('/');
  return segments.slice(0, segments.length - path.split('/').length + 1).join('/');
}

export function headersOf(headers: HttpOperation['headers'] = {}, value: Json): Readonly<Record<string, string>> {
  // Header fields are texts or numbers of the output.
  const fields = value as Readonly<Record<string, string | number>>;
  return Object.fromEntries(Object.entries(headers).map(([header, field]) => [header, String(fields[field])]));
}

function filledPath(path: string, value: Json): string {
  // Fields in an address are ids.
  const fields = value as Readonly<Record<string, string>>;
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(fields[name] ?? ''));
}
