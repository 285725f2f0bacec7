import { AirdeskError } from '../../../../src-preload/contract/index.ts';
import type { Caller } from '../../../operators/caller.ts';
import { TextBody, type Endpoint } from '../../endpoints/endpoint.ts';
import { schemaRef } from '../../endpoints/open-api.ts';
import { parameter } from '../../endpoints/query-flag.ts';
import type { JsonObject } from '../../objects/object-source.ts';
import { sourceFor } from '../../objects/scoped-objects.ts';
import type { Collection } from './collection.ts';
import { FieldTable } from './field-table.ts';
import { SELECT } from './list-parameters.ts';
import { IF_NONE_MATCH, NOT_MODIFIED, tagOf, tagOfJson } from './preconditions.ts';
import { readSelection, selectFields } from './selection.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** `GET` of one object of a collection. */
export function objectEndpoint<Row>(collection: Collection<Row>): Endpoint {
  const { path, name, item, key, writer, schema, isScoped = false } = collection;
  const fields = new FieldTable(schema);
  return {
    id: `${item}_get`,
    tag: name,
    method: 'GET',
    path: `${path}/{${key}}`,
    access: 'view',
    isScoped,
    summary: 'One object',
    description: `The ${item} of this ${key}, complete or with the selected fields.`,
    parameters: [SELECT, IF_NONE_MATCH],
    replies: {
      200: {
        description: 'The object, or its selected fields',
        schema: { anyOf: [schemaRef(item), schemaRef(`${item}_part`)] },
      },
      304: NOT_MODIFIED,
    },
    handle: async (request) => {
      await collection.refresh?.();
      const select = parameter(request, 'select') ?? '';
      const selection = select === '' ? undefined : readSelection(select, fields);
      const { source } = collection;
      const row = rowFor(collection, request.params[key] ?? '', request.caller);
      const etag = writer ? { etag: tagOf(collection, row) } : undefined;
      // The text is only for callers with write access. The view of read-only callers is derived from the object.
      if (!selection && source.text && etag && request.caller.mayWrite)
        return { status: 200, body: new TextBody(source.text(row), JSON_TYPE), headers: etag };
      const shown = source.object(row);
      const body = selection ? selectFields(shown, selection) : shown;
      return { status: 200, body, headers: etag ?? { etag: tagOfJson(shown) } };
    },
  };
}

/** Object of a collection in the caller's scope. Raises the error of the collection if there is none. */
export function objectFor<Row>(collection: FoundCollection<Row>, id: string, caller: Caller): JsonObject {
  return collection.source.object(rowFor(collection, id, caller));
}

type FoundCollection<Row> = Pick<Collection<Row>, 'source' | 'missing' | 'item' | 'key'>;

/** Row of an object of a collection in the caller's scope. Raises the error of the collection if there is none. */
export function rowFor<Row>({ source, missing, item, key }: FoundCollection<Row>, id: string, caller: Caller): Row {
  const row = sourceFor(source, caller).find(id);
  if (row === undefined) throw new AirdeskError(missing, `There is no ${item} ${id.slice(0, 200)}`, { parameter: key });
  return row;
}
