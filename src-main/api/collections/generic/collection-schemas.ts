import { savedSchema } from '../../endpoints/change-answer.ts';
import { jsonSchemaOf, withNothingRequired, type JsonSchema } from '../../endpoints/json-schema.ts';
import { schemaRef } from '../../endpoints/open-api.ts';
import type { Collection, CollectionWriter } from './collection.ts';
import { bodySchema } from './object-body.ts';

/** Schemas that the endpoints of a collection refer to. */
export function collectionSchemas({ item, name, schema, writer }: Collection): Readonly<Record<string, JsonSchema>> {
  const json = jsonSchemaOf(schema);
  return {
    [item]: json,
    [`${item}_part`]: withNothingRequired(json),
    [`${item}_list`]: envelopeSchema(name, schemaRef(`${item}_part`)),
    ...(writer ? { [`${item}_write`]: writeSchema(json, writer), [`${item}_saved`]: savedSchema(json) } : {}),
  };
}

function writeSchema(schema: JsonSchema, { isRenamed = false }: CollectionWriter): JsonSchema {
  const body = bodySchema(schema);
  if (!isRenamed) return body;
  const name = {
    type: 'string',
    description: 'a name that differs from the one in the address renames the object (PUT)',
  };
  return { ...body, properties: { ...body.properties, name } };
}

/** Schema of a list's envelope. */
export function envelopeSchema(name: string, items: JsonSchema): JsonSchema {
  const cursor: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
  return {
    type: 'object',
    properties: {
      [name]: {
        type: 'array',
        items,
        description: 'objects, or their selected fields',
      },
      next: { ...cursor, description: 'cursor of the next page; null on the last page' },
      prev: { ...cursor, description: 'cursor of the previous page; null on the first page' },
      estimated_count: { type: 'integer', description: 'number of objects that match the filters, on all pages' },
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
