import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakingChanges, compactDocument, describeBreak, type ApiDocument } from './api-breaks.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Parts {
  readonly reply?: Schema;
  readonly body?: Schema | null;
  readonly parameters?: readonly Schema[];
  readonly statuses?: readonly string[];
  readonly method?: string;
  readonly path?: string;
  readonly type?: string;
  readonly isBodyRequired?: boolean;
}

function json(schema: Schema, type = 'application/json'): Schema {
  return { content: { [type]: { schema } } };
}

/** A document with one operation. */
function document(parts: Parts = {}): ApiDocument {
  const { reply = OBJECT, body = OBJECT, parameters = [], statuses = ['200'], method = 'put', path = '/a' } = parts;
  const operation = {
    operationId: 'a',
    parameters,
    ...(body ? { requestBody: { required: parts.isBodyRequired === true, ...json(body) } } : {}),
    responses: Object.fromEntries(statuses.map((status) => [status, json(reply, parts.type)])),
  };
  // It consists of plain JSON.
  return { paths: { [path]: { [method]: operation } }, components: { schemas: { thing: OBJECT } } } as ApiDocument;
}

const OBJECT: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, mode: { enum: ['a', 'b'] }, size: { type: 'number' } },
  required: ['name'],
};
const withProperty = (name: string, schema: Schema, required = ['name']): Schema => ({
  ...OBJECT,
  properties: { ...(OBJECT['properties'] as Schema), [name]: schema },
  required,
});
const without = (name: string): Schema => ({
  ...OBJECT,
  properties: Object.fromEntries(Object.entries(OBJECT['properties'] as Schema).filter(([key]) => key !== name)),
});
const query = (name: string, more: Schema = {}): Schema => ({ name, in: 'query', schema: { type: 'string' }, ...more });
const nullable = { anyOf: [{ type: 'number' }, { type: 'null' }] };

function breaks(before: Parts, after: Parts): string[] {
  return breakingChanges(document(before), document(after)).map(describeBreak);
}

describe('a change of the API breaks clients if', () => {
  it.each<[string, Parts, Parts, string]>([
    ['a path goes', {}, { path: '/b' }, 'PUT /a: the path is gone'],
    ['a method goes', {}, { method: 'post' }, 'PUT /a: the method is gone'],
    ['a success goes', { statuses: ['200', '201'] }, {}, 'PUT /a: response 201: is gone'],
    ['a media type goes', {}, { type: 'text/plain' }, 'PUT /a: response 200: application/json is gone'],
    ['a property is not shown', {}, { reply: without('size') }, 'PUT /a: response 200.size: is gone'],
    [
      'a property may be missing',
      {},
      { reply: { ...OBJECT, required: [] } },
      'PUT /a: response 200.name: may be missing now',
    ],
    [
      'a number becomes text',
      {},
      { reply: withProperty('size', { type: 'string' }) },
      'PUT /a: response 200.size: type string is new',
    ],
    [
      'a number may be null',
      {},
      { reply: withProperty('size', nullable) },
      'PUT /a: response 200.size: the alternative null is new',
    ],
    [
      'an integer becomes any number',
      { reply: withProperty('size', { type: 'integer' }) },
      {},
      'PUT /a: response 200.size: type number is new',
    ],
    ['a property is no longer accepted', {}, { body: without('mode') }, 'PUT /a: body.mode: is gone'],
    [
      'a value is no longer accepted',
      {},
      { body: withProperty('mode', { enum: ['a'] }) },
      'PUT /a: body.mode: value "b" is no longer accepted',
    ],
    [
      'a type is narrowed',
      {},
      { body: withProperty('size', { type: 'integer' }) },
      'PUT /a: body.size: type number is no longer accepted',
    ],
    [
      'null is no longer accepted',
      { body: withProperty('size', nullable) },
      {},
      'PUT /a: body.size: the alternative null is no longer accepted',
    ],
    [
      'a property must be given',
      {},
      { body: { ...OBJECT, required: ['name', 'size'] } },
      'PUT /a: body.size: is required now',
    ],
    [
      'a new property must be given',
      {},
      { body: withProperty('key', {}, ['name', 'key']) },
      'PUT /a: body.key: is new and required',
    ],
    ['a body must be given', {}, { isBodyRequired: true }, 'PUT /a: body: is required now'],
    ['a body is no longer accepted', {}, { body: null }, 'PUT /a: body: is no longer accepted'],
    ['a parameter goes', { parameters: [query('q')] }, {}, 'PUT /a: parameter query q: is gone'],
    [
      'a parameter must be given',
      { parameters: [query('q')] },
      { parameters: [query('q', { required: true })] },
      'PUT /a: parameter query q: is required now',
    ],
    [
      'a new parameter must be given',
      {},
      { parameters: [query('q', { required: true })] },
      'PUT /a: parameter query q: is new and required',
    ],
  ])('%s', (_what, before, after, line) => {
    expect(breaks(before, after)).toEqual([line]);
  });

  it('a reference or the items of a list change', () => {
    const list = { reply: { type: 'array', items: { $ref: '#/components/schemas/thing' } } };
    const changed = { ...document(list), components: { schemas: { thing: without('size') } } } as ApiDocument;
    expect(breakingChanges(document(list), changed).map(describeBreak)).toEqual([
      'PUT /a: response 200[].size: is gone',
    ]);
  });
});

describe('a change of the API breaks no clients if', () => {
  it.each<[string, Parts, Parts]>([
    ['a property is shown in addition', {}, { reply: withProperty('more', { type: 'string' }) }],
    ['a property is always there now', {}, { reply: { ...OBJECT, required: ['name', 'size'] } }],
    ['a further value may be shown', {}, { reply: withProperty('mode', { enum: ['a', 'b', 'c'] }) }],
    ['a further value is accepted', {}, { body: withProperty('mode', { enum: ['a', 'b', 'c'] }) }],
    ['null is never shown any more', { reply: withProperty('size', nullable) }, {}],
    ['null is accepted, too', {}, { body: withProperty('size', nullable) }],
    ['a property may be given', {}, { body: withProperty('more', { type: 'string' }) }],
    ['an error is no longer listed', { statuses: ['200', '409'] }, {}],
    ['a parameter may be given', {}, { parameters: [query('q')] }],
  ])('%s', (_what, before, after) => {
    expect(breaks(before, after)).toEqual([]);
  });
});

describe('an OpenAPI document', () => {
  const schemas = fc.letrec<{ schema: Schema; leaf: Schema }>((tie) => ({
    leaf: fc.constantFrom<Schema>({ type: 'string' }, { type: 'integer' }, { enum: ['x', 'y'] }, { const: 1 }, {}),
    schema: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc
        .dictionary(fc.constantFrom('description', 'a', 'b', 'c'), tie('schema'))
        .map((properties) => ({ type: 'object', properties, required: Object.keys(properties).slice(0, 1) })),
    ),
  })).schema;

  it('has no breaking changes to an equal document, with or without texts', () => {
    fc.assert(
      fc.property(schemas, schemas, (reply, body) => {
        const full = document({ reply: { ...reply, description: 'words' }, body });
        expect(breakingChanges(full, full)).toEqual([]);
        expect(breakingChanges(compactDocument(full), full)).toEqual([]);
        expect(breakingChanges(full, compactDocument(full))).toEqual([]);
      }),
    );
  });

  it('has no breaking changes to its compact form', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const before = document({ reply: withProperty('description', schema) });
        expect(breakingChanges(compactDocument(before), document()).map(describeBreak)).toEqual([
          'PUT /a: response 200.description: is gone',
        ]);
      }),
    );
  });
});
