import { AirdeskError } from '../../../../src-preload/contract/index.ts';
import { changedBy } from '../../../operators/caller.ts';
import { requireInScope } from '../../../operators/require.ts';
import { runInTurns } from '../../../lib/turns.ts';
import { changeReport, isDryRun, VALIDATE } from '../../endpoints/change-answer.ts';
import type { Answer, Endpoint, EndpointRequest, ReplyDoc } from '../../endpoints/endpoint.ts';
import { schemaRef } from '../../endpoints/open-api.ts';
import type { Collection, CollectionWriter } from './collection.ts';
import { IDEMPOTENCY_KEY, type IdempotentAnswers } from '../../endpoints/idempotent-answers.ts';
import { nestedLists, readObjectBody, readObjectBodyInSteps } from './object-body.ts';
import { objectFor, rowFor } from './object-endpoint.ts';
import { precondition, PRECONDITIONS, tagOf } from './preconditions.ts';

type Write = Parameters<CollectionWriter['put']>[1];

/** `PUT`, `POST` and `DELETE` of the objects of a collection, if the collection supports them. */
export function writeEndpoints<Row>(collection: Collection<Row>, idempotent: IdempotentAnswers): Endpoint[] {
  const { writer, remove } = collection;
  return [
    ...(writer ? saveEndpoints(collection, writer, idempotent) : []),
    ...(remove ? [removeEndpoint(collection, remove)] : []),
  ];
}

function saveEndpoints<Row>(
  collection: Collection<Row>,
  writer: CollectionWriter,
  idempotent: IdempotentAnswers,
): Endpoint[] {
  const { path, name, item, key, schema, source, example, isScoped = false } = collection;
  const saved: ReplyDoc = { description: 'The object', schema: schemaRef(`${item}_saved`) };
  const upsert = async (
    id: string,
    request: EndpointRequest,
    { newName, isOnlyNew = false }: Pick<Write, 'newName' | 'isOnlyNew'> = {},
  ): Promise<Answer> => {
    const body = await runInTurns(readObjectBodyInSteps(request.body, schema));
    for (const stream of [id, newName, body['name']])
      if (typeof stream === 'string') requireInScope(request.caller, stream);
    const check = precondition(collection, request, id);
    check?.();
    const currentJson: Write['currentJson'] = () =>
      source.find(id) === undefined ? {} : readObjectBody(objectFor(collection, id, request.caller), schema);
    const write = {
      body,
      currentJson,
      lists: nestedLists(schema),
      check,
      newName,
      isOnlyNew,
      isDryRun: isDryRun(request),
    };
    const written = await writer.put(id, write, changedBy(request.caller, 'api'));
    const row = write.isDryRun ? undefined : rowFor(collection, written.name, request.caller);
    const shown = row === undefined ? writer.preview(written.name, written.applied) : source.object(row);
    const etag = row === undefined ? {} : { etag: tagOf(collection, row) };
    const report = changeReport(written.applied, [writer.collection, written.name], body, write.isDryRun);
    const answer = { status: 200, body: { ...shown, ...report }, headers: etag };
    if (!written.isNew) return answer;
    const location = `${request.url.split('?', 1)[0] ?? ''}/${encodeURIComponent(id)}`;
    return { ...answer, status: 201, headers: { ...etag, location } };
  };
  return [
    {
      id: `${item}_save`,
      tag: name,
      method: 'PUT',
      path: `${path}/{${key}}`,
      access: 'edit',
      isScoped,
      summary: 'Creates or changes an object',
      description:
        'JSON merge patch: fields in the body are set, null removes a field, all other fields stay. Nested lists are edited item by item. Read-only fields are ignored.',
      parameters: [...PRECONDITIONS, VALIDATE],
      body: {
        schema: schemaRef(`${item}_write`),
        types: ['application/json', 'application/merge-patch+json'],
        ...(example ? { example: example.written } : {}),
      },
      replies: { 200: saved },
      handle: async (request) => {
        const { body, headers = {} } = await upsert(
          request.params[key] ?? '',
          request,
          writer.isRenamed === true ? { newName: nameInBody(request.body) } : {},
        );
        const { location: _location, ...others } = headers;
        return { status: 200, headers: others, ...(body === undefined ? {} : { body }) };
      },
    },
    {
      id: `${item}_create`,
      tag: name,
      method: 'POST',
      path,
      access: 'edit',
      isScoped,
      summary: 'Creates an object',
      description: `The body contains the ${key}${writer.newKey ? '; without one, the server generates one' : ''}. If an object with this ${key} exists, the answer is 409. A repeated request with the same Idempotency-Key is executed once.`,
      parameters: [IDEMPOTENCY_KEY, ...PRECONDITIONS, VALIDATE],
      body: {
        schema: schemaRef(`${item}_write`),
        ...(example ? { example: { [key]: example.key, ...example.written } } : {}),
      },
      replies: { 200: { ...saved, description: 'With validate=true: the object as it would be' }, 201: saved },
      handle: (request) => {
        const make = (): Promise<Answer> => upsert(keyOfBody(request.body, key, writer), request, { isOnlyNew: true });
        return isDryRun(request) ? make() : idempotent.answer(request, make);
      },
    },
  ];
}

function removeEndpoint<Row>(collection: Collection<Row>, remove: NonNullable<Collection['remove']>): Endpoint {
  const { path, name, item, key, writer, isScoped = false, removeAccess = 'edit' } = collection;
  return {
    id: `${item}_delete`,
    tag: name,
    method: 'DELETE',
    path: `${path}/{${key}}`,
    access: removeAccess,
    isScoped,
    summary: 'Removes an object',
    description: `Removes the ${item} of this ${key}.`,
    ...(writer ? { parameters: [...PRECONDITIONS.slice(0, 1), VALIDATE] } : {}),
    replies: { 204: { description: 'The object is removed' } },
    handle: async (request) => {
      const id = request.params[key] ?? '';
      // Hides objects outside the caller's scope (404, not 403).
      if (request.caller.prefixes) objectFor(collection, id, request.caller);
      const check = writer && precondition(collection, request, id);
      await remove(id, changedBy(request.caller, 'api'), { check, isDryRun: isDryRun(request) });
      return { status: 204 };
    },
  };
}

function nameInBody(body: unknown): string | undefined {
  const name: unknown = typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined;
  if (name === undefined || typeof name === 'string') return name;
  throw new AirdeskError('bad_value', 'The name must be a text', { pointer: '/name' });
}

function keyOfBody(body: unknown, key: string, { newKey }: CollectionWriter): string {
  const given =
    typeof body === 'object' && body !== null && Object.hasOwn(body, key)
      ? (body as Readonly<Record<string, unknown>>)[key]
      : undefined;
  if (typeof given === 'string' && given !== '') return given;
  if (given === undefined && newKey) return newKey();
  throw new AirdeskError('bad_value', `The body must have a ${key}, which is a text`, { pointer: `/${key}` });
}
