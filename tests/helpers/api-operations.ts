import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COLLECTION_PREFIXES } from '../../src-main/api/http/prefixes.ts';
import type { ApiDocument } from './api-breaks.ts';

type Json = ApiDocument[string];

/** Readable list of all operations and objects of the HTTP APIs. */
export const OPERATIONS_FILE = fileURLToPath(new URL('../golden/operations.txt', import.meta.url));

/** Operation of the readable list, from its first line. */
export interface ListedOperation {
  readonly method: string;
  /** Path in the document, below the prefix of the API. */
  readonly path: string;
  /** Complete path, such as `/mediaserver/api/v3/streams/{name}`. */
  readonly address: string;
  readonly id: string;
  readonly access: string;
  /** Whether a token with a prefix may use the operation for its streams. */
  readonly isForPrefixes: boolean;
}

const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'patch']);
/** Number of values up to which an enumeration is listed in full; for longer enumerations only the number is listed. */
const MAX_VALUES = 24;
const MAX_LINE = 120;
/** Filter of a list: the field, and how it is compared. */
const FILTER = /^(.+)(?:_ne|_like|_is|_is_not|_lte?|_gte?)$/;

const HEADING = `# Operations of the HTTP APIs, and below them the fields of the objects that they take and send.
# api-document.test.ts rewrites this file with -u; read the difference before you commit it.
# "?" marks what may be missing, "[]" a list, ".*" the values of a map, "|" alternatives.
`;

/** Prints the operations and schemas of an OpenAPI document as a list that people can read and compare. */
export function printOperations(document: ApiDocument): string {
  const operations = Object.entries(fields(document['paths'])).flatMap(([path, item]) =>
    Object.keys(fields(item))
      .filter((key) => METHODS.has(key))
      .map((method) => printOperation(document, path, item, method)),
  );
  const schemas = fields(fields(document['components'])['schemas']);
  const lines = new Map(Object.entries(schemas).map(([name, schema]) => [name, fieldLines(schema)]));
  const objects = [...lines].map(([name, objectLines]) => {
    const fullLines = lines.get(name.replace(/_part$/, ''));
    const isPart = name.endsWith('_part') && fullLines && withoutMarks(objectLines) === withoutMarks(fullLines);
    return isPart
      ? `${name}: ${name.replace(/_part$/, '')} with the selected fields only`
      : [name, ...objectLines].join('\n');
  });
  return [HEADING, ...operations, '# Objects\n', ...objects.map((one) => `${one}\n`)].join('\n');
}

/** Operations of the accepted list. */
export function listedOperations(): readonly ListedOperation[] {
  return [...readFileSync(OPERATIONS_FILE, 'utf8').matchAll(/^([A-Z]+) (\/\S*) (\w+) (\w+)( prefix)?$/gm)].map(
    ([, method = '', address = '', id = '', access = '', prefix]) => ({
      method,
      path: address.replace(`${COLLECTION_PREFIXES[0]}/`, '/'),
      address,
      id,
      access,
      isForPrefixes: prefix !== undefined,
    }),
  );
}

function printOperation(document: ApiDocument, path: string, item: Json, method: string): string {
  const base = 'servers' in fields(item) ? '' : COLLECTION_PREFIXES[0];
  const operation = fields(fields(item)[method]);
  const prefix = operation['x-prefix-tokens'] === true ? ' prefix' : '';
  const heading = `${method.toUpperCase()} ${base}${path} ${text(operation['operationId'])} ${text(operation['x-access'])}${prefix}`;
  const parameters = Map.groupBy(
    items(operation['parameters']).map((one) => target(document, one)),
    (one) => text(one['in']),
  );
  const replies = Object.entries(fields(operation['responses'])).map(
    ([status, reply]) => [status, target(document, reply)] as const,
  );
  const errors = replies.filter(([status]) => Number(status) >= 400).map(([status]) => status);
  const body = target(document, operation['requestBody']);
  return [
    heading,
    ...[...parameters].flatMap(([location, all]) => wrapped(`  ${location}:`, printParameters(all))),
    ...contents(body).map((content) => `  body: ${content}${body['required'] === true ? '' : '?'}`),
    ...replies
      .filter(([status]) => Number(status) < 400)
      .flatMap(([status, reply]) => {
        const sent = contents(reply);
        return sent.length > 0 ? sent.map((content) => `  ${status}: ${content}`) : [`  ${status}`];
      }),
    ...(errors.length > 0 ? [`  errors: ${errors.join(' ')}`] : []),
    '',
  ].join('\n');
}

/** Parameters with their types. Filters of a list follow their field, and only their suffixes are printed. */
function printParameters(parameters: readonly ApiDocument[]): readonly string[] {
  const byField = Map.groupBy(parameters, (one) => FILTER.exec(text(one['name']))?.[1] ?? text(one['name']));
  return [...byField].map(([field, all]) => {
    const itself = all.find((one) => one['name'] === field);
    const filters = all.map((one) => text(one['name']).slice(field.length)).filter((ending) => ending !== '');
    const type = itself ? ` ${typeOf(itself['schema'])}` : '';
    return `${field}${itself?.['required'] === true ? '' : '?'}${type}${filters.length > 0 ? ` (${filters.join(' ')})` : ''}`;
  });
}

/** Bodies by media type; bodies with the same schema are printed once. */
function contents(part: ApiDocument): readonly string[] {
  const byType = Map.groupBy(Object.entries(fields(part['content'])), ([, media]) => typeOf(fields(media)['schema']));
  return [...byType].map(([type, media]) => {
    const names = media.map(([name]) => name).join(', ');
    return names.startsWith('application/json') ? type : `${names} ${type}`;
  });
}

/** One line for each field of a schema, with the path to it. */
function fieldLines(schema: Json | undefined, path = ''): string[] {
  const { properties, required, items: item, additionalProperties, anyOf, oneOf } = fields(schema);
  if (properties !== undefined) {
    const needed = new Set(items(required));
    return Object.entries(fields(properties)).flatMap(([name, part]) =>
      fieldLines(part, `${path === '' ? '' : `${path}.`}${name}${needed.has(name) ? '' : '?'}`),
    );
  }
  if (isObject(item)) return fieldLines(item, `${path}[]`);
  if (isObject(additionalProperties)) return fieldLines(additionalProperties, `${path}.*`);
  const parts = [...items(anyOf), ...items(oneOf)];
  if (parts.some(isObject)) return parts.flatMap((part, index) => fieldLines(part, `${path}|${index + 1}`));
  return [`  ${path === '' ? 'is' : path} ${typeOf(schema)}`];
}

/** Whether a schema has fields, so that its type does not fit into a line. */
function isObject(schema: Json | undefined): boolean {
  const { properties, items: item, additionalProperties, anyOf, oneOf } = fields(schema);
  return (
    properties !== undefined ||
    (typeof additionalProperties === 'object' && isObject(additionalProperties)) ||
    (item !== undefined && isObject(item)) ||
    [...items(anyOf), ...items(oneOf)].some(isObject)
  );
}

/** Type of a value in a few words. */
function typeOf(schema: Json | undefined): string {
  const { $ref, type, enum: values, const: only, items: item, additionalProperties, anyOf, oneOf } = fields(schema);
  const parts = [...items(anyOf), ...items(oneOf)];
  if (typeof $ref === 'string') return $ref.replace('#/components/schemas/', '');
  if (parts.length > 0) return [...new Set(parts.map(typeOf))].join('|');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values))
    return values.length > MAX_VALUES
      ? `one of ${values.length} values`
      : values.map((one) => JSON.stringify(one)).join('|');
  if (item !== undefined) return `(${typeOf(item)})[]`.replace(/^\(([\w ]+)\)/, '$1');
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  return typeof type === 'string' ? type : Array.isArray(type) ? type.join('|') : 'any';
}

/** Joins parts into lines of at most 120 columns, where the parts allow it. */
function wrapped(start: string, parts: readonly string[]): string[] {
  const lines = [start];
  for (const [index, part] of parts.entries()) {
    const piece = ` ${part}${index < parts.length - 1 ? ',' : ''}`;
    if ((lines.at(-1) ?? '').length + piece.length > MAX_LINE) lines.push('   ');
    lines.push(`${lines.pop() ?? ''}${piece}`);
  }
  return lines;
}

function withoutMarks(lines: readonly string[]): string {
  return lines.join('\n').replaceAll('?', '');
}

function target(document: ApiDocument, value: Json | undefined): ApiDocument {
  const one = fields(value);
  if (typeof one['$ref'] !== 'string') return one;
  let at: Json = document;
  for (const part of one['$ref'].replace(/^#\//, '').split('/')) at = fields(at)[part] ?? null;
  return fields(at);
}

function fields(value: Json | undefined): Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ApiDocument) : {};
}

function items(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
