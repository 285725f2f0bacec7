import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | false;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Parts of an OpenAPI document from which requests are generated. */
export interface RequestDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Plausible request for a document. */
export interface RandomRequest {
  readonly method: string;
  /** Path and query below the prefix. */
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const WORDS = [
  'a',
  'b',
  'live/c',
  'cams',
  'clips',
  'main',
  'gate',
  'desk',
  'south.example.org',
  'one',
  'new/stream',
  '0',
  '1',
  '-1',
  'x'.repeat(300),
  '..',
  '%',
  'é 日',
  '',
  '__proto__',
  'null',
  'true',
  '@main',
  'fake://',
  'udp://239.0.0.1:1234',
  'rtsp://u:********@192.0.2.9/x',
  'publish://',
  'http://127.0.0.1:1/',
  '/srv/x',
  '7d',
  '"',
  '{',
  ';',
  '#',
  '\\',
  '\n',
  '\u0000',
];
const FILTERS = [
  'name',
  'name_like',
  'name_ne',
  'title_is',
  'provider_is_not',
  'stats.alive',
  'stats.bitrate_gt',
  'stats.ts_delay_lte',
  'position_lt',
  'labels.site',
  'q',
  'sort',
  'limit',
  'cursor',
  'select',
  'format',
  'inputs.url',
  'opened_at_gte',
];
const FILTER_VALUES = [
  ...WORDS,
  'name',
  '-stats.bitrate,name',
  'name,stats.alive',
  '5',
  '1e3',
  '1000',
  '1001',
  'openmetrics',
  'WyJhIiwiYWJjZGVmZ2hpamtsIiwxXQ',
];

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...WORDS) },
  fc.string({ maxLength: 8 }),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
);
const anything = fc.jsonValue({ maxDepth: 2 });

/** Requests that mostly follow a document: correct and wrong names, queries, bodies and headers. */
export function randomRequests({ paths, components }: RequestDocument): fc.Arbitrary<RandomRequest> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return fc.constantFrom(...operations).chain(({ path, method, operation }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)];
    const schema = operation.requestBody ? Object.values(operation.requestBody.content)[0]?.schema : undefined;
    const json = schema
      ? fc
          .oneof({ weight: 6, arbitrary: valueOf(schema, components.schemas, 3) }, anything)
          .map((value) => JSON.stringify(value))
      : fc.constant(undefined);
    const filters = fc.array(
      fc.tuple(
        fc.constantFrom(
          ...FILTERS,
          ...(operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        ),
        fc.constantFrom(...FILTER_VALUES),
      ),
      { maxLength: 3 },
    );
    return fc.record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(method) },
        fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'PATCH'),
      ),
      path: fc
        .tuple(fc.tuple(...names.map(() => word)), method === 'GET' ? filters : fc.constant([]))
        .map(([values, query]) => {
          let index = 0;
          const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent((values[index++] ?? '').toWellFormed()));
          return (
            filled +
            (query.length === 0
              ? ''
              : `?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`)
          );
        }),
      body: fc.oneof(
        { weight: 12, arbitrary: json },
        fc.constantFrom(schema ? '' : undefined, schema ? '{' : undefined, schema ? '[]' : undefined),
      ),
      headers: fc.constantFrom(
        {},
        {},
        { accept: 'application/openmetrics-text' },
        { accept: 'text/plain' },
        { 'content-type': 'text/plain' },
        { 'idempotency-key': 'one' },
      ),
    });
  });
}

function valueOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valueOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, depth);
  return fc.oneof({ weight: 12, arbitrary: likely(schema, schemas, depth) }, anything);
}

function likely(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => likely(option, schemas, depth)));
  if (depth === 0) return anything;
  switch (schema.type) {
    case 'string':
      return word;
    case 'integer':
      return fc.oneof(fc.integer({ min: -2, max: 12 }), fc.integer());
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 60 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(schema.items ? valueOf(schema.items, schemas, depth - 1) : anything, { maxLength: 3 });
    case 'object':
      return objectOf(schema, schemas, depth);
    default:
      return anything;
  }
}

/** Object with some of the keys, and occasionally an unknown key. */
function objectOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const more =
    typeof schema.additionalProperties === 'object'
      ? fc.dictionary(word, valueOf(schema.additionalProperties, schemas, depth - 1), { maxKeys: 2 })
      : fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.dictionary(word, anything, { maxKeys: 1 }));
  if (properties.length === 0) return more;
  return fc
    .subarray(properties, { maxLength: Math.min(4, properties.length) })
    .chain((some) =>
      fc
        .tuple(fc.record(Object.fromEntries(some.map(([key, part]) => [key, valueOf(part, schemas, depth - 1)]))), more)
        .map(([object, rest]) => ({ ...rest, ...object })),
    );
}
