import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { requireInScope } from '../../operators/require.ts';
import { changedBy, type Caller } from '../../operators/caller.ts';
import type { JsonObject } from '../objects/object-source.ts';
import { sourceFor } from '../objects/scoped-objects.ts';
import type { Answer, Endpoint, EndpointRequest, ParameterDoc, ReplyDoc } from '../endpoints/endpoint.ts';
import { withNothingRequired, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { flag } from '../endpoints/query-flag.ts';
import { changeReport, savedSchema, VALIDATE } from '../change-answer.ts';
import type { Collection, CollectionWriter } from './collection.ts';
import { entityTag, PRECONDITIONS, requireMatch } from './entity-tag.ts';
import { FieldTable } from './field-table.ts';
import type { IdempotentAnswers } from './idempotent-answers.ts';
import { listAnswer } from './list-answer.ts';
import { listParameters, SELECT } from './list-parameters.ts';
import { bodySchema, nestedLists, readObjectBody } from './object-body.ts';
import { METRICS_TYPE } from '../metrics/open-metrics.ts';
import { readSelection, selectFields } from './selection.ts';

/** The endpoints of a collection: its list, its objects, and the ways to change them that it has. */
export function collectionEndpoints<Row>(
  collection: Collection<Row>,
  idempotent: IdempotentAnswers,
): readonly Endpoint[] {
  const { path, name, item, key, writer, remove, example } = collection;
  const isScoped = collection.isScoped === true;
  const one = `${path}/{${key}}`;
  const object: ReplyDoc = { description: 'The object', schema: schemaRef(`${item}_saved`) };
  const queryable = { name, fields: new FieldTable(collection.schema), implicitSort: collection.implicitSort };
  const show = (wanted: string, caller: Caller): JsonObject => {
    const source = sourceFor(collection.source, caller);
    const row = source.find(wanted);
    if (row === undefined)
      throw new AirdeskError(collection.missing, `There is no ${item} ${wanted.slice(0, 200)}`, { parameter: key });
    return source.object(row);
  };
  return [
    {
      ...{ id: `${item}_list`, tag: name, method: 'GET', path, access: 'view', isScoped },
      summary: `Lists ${name}`,
      description: LIST_WORDS,
      parameters: listParameters(collection.schema),
      replies: {
        200: {
          description: 'A portion, in its envelope',
          schema: schemaRef(`${item}_list`),
          ...(example ? { example: listExample(name, example.shown) } : {}),
          otherTypes: [METRICS_TYPE.split(';')[0] ?? METRICS_TYPE],
        },
      },
      handle: (request) =>
        listAnswer(request, { ...collection, source: sourceFor(collection.source, request.caller) }, queryable),
    },
    {
      ...{ id: `${item}_get`, tag: name, method: 'GET', path: one, access: 'view', isScoped },
      summary: 'One object',
      description: `The ${item} of this ${key}, whole or with the selected fields.`,
      parameters: [SELECT],
      replies: {
        200: {
          description: 'The object, or the fields of it that select names',
          schema: { anyOf: [schemaRef(item), schemaRef(`${item}_part`)] },
        },
      },
      handle: ({ params, query, caller }) => {
        const select = query.find((parameter) => parameter.name === 'select')?.value ?? '';
        const selection = select === '' ? undefined : readSelection(select, queryable.fields);
        const shown = show(params[key] ?? '', caller);
        return {
          status: 200,
          body: selection ? selectFields(shown, selection) : shown,
          ...(writer ? { headers: { etag: tagOf(collection, shown) } } : {}),
        };
      },
    },
    ...(writer ? writeEndpoints(collection, writer, idempotent, show, object) : []),
    ...(remove
      ? [
          {
            ...({ id: `${item}_delete`, tag: name, method: 'DELETE', path: one } as const),
            access: collection.removeAccess ?? ('edit' as const),
            isScoped,
            summary: 'Removes an object',
            description: `Removes the ${item} of this ${key}.`,
            ...(writer ? { parameters: [...PRECONDITIONS.slice(0, 1), VALIDATE] } : {}),
            replies: { 204: { description: 'It is gone' } },
            handle: async (request: EndpointRequest) => {
              const wanted = request.params[key] ?? '';
              // What is not for this caller is not there.
              if (request.caller.prefixes) show(wanted, request.caller);
              const check = writer && precondition(collection, request, wanted);
              await remove(wanted, changedBy(request.caller, 'api'), { check, isDryRun: isDryRun(request) });
              return { status: 204 };
            },
          },
        ]
      : []),
  ];
}

/** The schemas that the endpoints of a collection refer to. */
export function collectionSchemas({ item, name, schema, writer }: Collection): Readonly<Record<string, JsonSchema>> {
  return {
    [item]: schema,
    [`${item}_part`]: withNothingRequired(schema),
    [`${item}_list`]: envelopeSchema(name, schemaRef(`${item}_part`)),
    ...(writer ? { [`${item}_write`]: writeSchema(schema, writer), [`${item}_saved`]: savedSchema(schema) } : {}),
  };
}

function writeSchema(schema: JsonSchema, { isRenamed = false }: CollectionWriter): JsonSchema {
  const body = bodySchema(schema);
  if (!isRenamed) return body;
  const name = { type: 'string', description: 'another name than that of the address renames what is there (PUT)' };
  return { ...body, properties: { ...body.properties, name } };
}

function writeEndpoints<Row>(
  collection: Collection<Row>,
  writer: CollectionWriter,
  idempotent: IdempotentAnswers,
  show: (wanted: string, caller: Caller) => JsonObject,
  object: ReplyDoc,
): Endpoint[] {
  const { path, name, item, key, schema, source, example, isScoped = false } = collection;
  const lists = nestedLists(schema);
  const upsert = async (wanted: string, request: EndpointRequest, newName?: string): Promise<Answer> => {
    const body = readObjectBody(request.body, schema);
    for (const stream of [wanted, newName, body['name']])
      if (typeof stream === 'string') requireInScope(request.caller, stream);
    const check = precondition(collection, request, wanted);
    check?.();
    const currentJson = source.find(wanted) === undefined ? {} : readObjectBody(show(wanted, request.caller), schema);
    const write = { body, currentJson, lists, check, newName, isDryRun: isDryRun(request) };
    const written = await writer.put(wanted, write, changedBy(request.caller, 'api'));
    const shown = write.isDryRun ? writer.preview(written.name, written.applied) : show(written.name, request.caller);
    const etag = write.isDryRun ? {} : { etag: tagOf(collection, shown) };
    const report = changeReport(written.applied, [writer.collection, written.name], body, write.isDryRun);
    const answer = { status: 200, body: { ...shown, ...report }, headers: etag };
    if (!written.isNew) return answer;
    const location = `${request.url.split('?', 1)[0] ?? ''}/${encodeURIComponent(wanted)}`;
    return { ...answer, status: 201, headers: { ...etag, location } };
  };
  return [
    {
      ...{ id: `${item}_save`, tag: name, method: 'PUT', path: `${path}/{${key}}`, access: 'edit', isScoped },
      summary: 'Makes an object, or changes the one that is there',
      description:
        'JSON merge patch: what the body names is set, null removes, the rest stays. Nested lists are edited item by item. Fields that are only shown are ignored.',
      parameters: [...PRECONDITIONS, VALIDATE],
      body: {
        schema: schemaRef(`${item}_write`),
        types: ['application/json', 'application/merge-patch+json'],
        ...(example ? { example: example.written } : {}),
      },
      replies: { 200: object },
      handle: async (request) => {
        const { body, headers = {} } = await upsert(
          request.params[key] ?? '',
          request,
          writer.isRenamed === true ? nameInBody(request.body) : undefined,
        );
        const { location: _location, ...others } = headers;
        return { status: 200, headers: others, ...(body === undefined ? {} : { body }) };
      },
    },
    {
      ...{ id: `${item}_create`, tag: name, method: 'POST', path, access: 'edit', isScoped },
      summary: `Makes an object, or changes the one with the same ${key}`,
      description: `The ${key} stands in the body${writer.newKey ? '; without one, the server makes one' : ''}. The same request with the same Idempotency-Key is carried out once.`,
      parameters: [IDEMPOTENCY_KEY, ...PRECONDITIONS, VALIDATE],
      body: {
        schema: schemaRef(`${item}_write`),
        ...(example ? { example: { [key]: example.key, ...example.written } } : {}),
      },
      replies: { 200: object, 201: { ...object, description: 'The object, which is new' } },
      handle: (request) => {
        const make = (): Promise<Answer> => upsert(keyOfBody(request.body, key, writer), request);
        return isDryRun(request) ? make() : idempotent.answer(request, make);
      },
    },
  ];
}

function isDryRun(request: EndpointRequest): boolean {
  return flag(request, 'validate');
}

/** The name that a body says; one of another type than text is ignored nowhere. */
function nameInBody(body: unknown): string | undefined {
  const name: unknown = typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined;
  if (name === undefined || typeof name === 'string') return name;
  throw new AirdeskError('bad_value', 'The name is a text', { pointer: '/name' });
}

/** The tag of an object as it is shown. */
function tagOf({ schema, key, unmasked }: Pick<Collection, 'schema' | 'key' | 'unmasked'>, shown: JsonObject): string {
  const name = shown[key];
  return entityTag(readObjectBody(shown, schema), typeof name === 'string' ? unmasked?.(name) : undefined);
}

/** What raises `precondition_failed` while an object is not as a request wants it; undefined where the request does not care. */
function precondition<Row>(
  collection: Collection<Row>,
  request: EndpointRequest,
  wanted: string,
): (() => void) | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return () => {
    const row = collection.source.find(wanted);
    requireMatch(request, row === undefined ? undefined : tagOf(collection, collection.source.object(row)));
  };
}

function keyOfBody(body: unknown, key: string, { newKey }: CollectionWriter): string {
  const given =
    typeof body === 'object' && body !== null && Object.hasOwn(body, key)
      ? (body as Readonly<Record<string, unknown>>)[key]
      : undefined;
  if (typeof given === 'string' && given !== '') return given;
  if (given === undefined && newKey) return newKey();
  throw new AirdeskError('bad_value', `The body has a ${key}, which is a text`, { pointer: `/${key}` });
}

const LIST_WORDS =
  'Filters are parameters by the name of a field, with dots for what lies inside; all of them hold together. A comma inside a value is written `\\,`. Null is neither less nor more than anything.';

function listExample(name: string, shown: JsonObject): JsonObject {
  return { [name]: [shown], next: null, prev: null, estimated_count: 1, timing: {} };
}

function envelopeSchema(name: string, items: JsonSchema): JsonSchema {
  const cursor: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  return {
    type: 'object',
    properties: {
      [name]: {
        type: 'array',
        items,
        description: 'objects, or the fields of them that select names',
      },
      next: { ...cursor, description: 'cursor of the following portion; null after the last' },
      prev: { ...cursor, description: 'cursor of the preceding portion; null before the first' },
      estimated_count: { type: 'integer', description: 'objects that the filters let through, whatever the cursor' },
      timing: {
        type: 'object',
        additionalProperties: { type: 'number' },
        'x-private': true,
        description: 'milliseconds',
      },
    },
    required: [name, 'next', 'prev', 'estimated_count', 'timing'],
    additionalProperties: false,
  };
}

/** The header with which a request can be repeated. */
const IDEMPOTENCY_KEY: ParameterDoc = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'made by the client, for this request alone; kept for 24 hours',
  schema: { type: 'string' },
};
