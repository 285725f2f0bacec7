import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { changedBy, type Caller } from '../../operators/caller.ts';
import { VALIDATE } from '../change-answer.ts';
import type { Endpoint, EndpointRequest, ReplyDoc } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { METRICS_TYPE } from '../metrics/open-metrics.ts';
import type { JsonObject } from '../objects/object-source.ts';
import { sourceFor } from '../objects/scoped-objects.ts';
import type { Collection } from './collection.ts';
import { PRECONDITIONS } from './entity-tag.ts';
import { FieldTable } from './field-table.ts';
import type { IdempotentAnswers } from './idempotent-answers.ts';
import { listAnswer } from './list-answer.ts';
import { listParameters, SELECT } from './list-parameters.ts';
import { isDryRun, precondition, tagOf } from './object-conditions.ts';
import { readSelection, selectFields } from './selection.ts';
import { writeEndpoints } from './write-endpoints.ts';

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

const LIST_WORDS =
  'Filters are parameters by the name of a field, with dots for what lies inside; all of them hold together. A comma inside a value is written `\\,`. Null is neither less nor more than anything.';

function listExample(name: string, shown: JsonObject): JsonObject {
  return { [name]: [shown], next: null, prev: null, estimated_count: 1, timing: {} };
}
