import type { BodySchema } from '../../endpoints/endpoint.ts';
import { jsonSchemaOf, withoutNull, type JsonSchema } from '../../endpoints/json-schema.ts';

/** Type of a comparable field; null is possible for all types. */
export type FieldType = 'string' | 'integer' | 'number' | 'boolean';

/** Comparable value. */
export type Scalar = string | number | boolean | null;

/** Field of a collection's objects, by its path with dots. */
export interface Field {
  readonly path: string;
  /** Type of the values; undefined for objects and lists, which can only be compared with null. */
  readonly type: FieldType | undefined;
  /** Possible values, if the schema lists them. */
  readonly choices: readonly string[] | undefined;
  /** Whether the schema declares the field. If not, it is a key of a map, such as a label. */
  readonly isDeclared: boolean;
}

/** Fields of a collection, from the schema of its objects. */
export class FieldTable {
  readonly #schema: BodySchema;
  readonly #fields = new Map<string, Field>();

  constructor(schema: BodySchema) {
    this.#schema = schema;
  }

  /** Finds a comparable field; undefined for an unknown field, or a field inside a list. */
  find(path: string): Field | undefined {
    const cached = this.#fields.get(path);
    if (cached) return cached;
    const found = at(jsonSchemaOf(this.#schema), path.split('.'), false);
    if (!found) return undefined;
    const schema = withoutNull(found.schema);
    const field: Field = { path, type: typeOf(schema), choices: choicesOf(schema), isDeclared: found.isDeclared };
    // The keys of maps are not cached, because requests can invent any number of them.
    if (field.isDeclared) this.#fields.set(path, field);
    return field;
  }

  /** Whether a path leads to a field, even through lists. */
  has(path: string): boolean {
    return at(jsonSchemaOf(this.#schema), path.split('.'), true) !== undefined;
  }
}

interface FieldSchema {
  readonly schema: JsonSchema;
  readonly isDeclared: boolean;
}

function at(schema: JsonSchema, path: readonly string[], isThroughLists: boolean): FieldSchema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return { schema, isDeclared: true };
  for (const option of schema.anyOf ?? [schema]) {
    const found = inside(option, key, rest, isThroughLists);
    if (found) return found;
  }
  return undefined;
}

function inside(
  schema: JsonSchema,
  key: string,
  rest: readonly string[],
  isThroughLists: boolean,
): FieldSchema | undefined {
  if (isThroughLists && schema.items) return at(schema.items, [key, ...rest], isThroughLists);
  const part = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  if (part) return at(part, rest, isThroughLists);
  if (typeof schema.additionalProperties !== 'object' || key === '') return undefined;
  // A key of a map may contain dots.
  return { schema: schema.additionalProperties, isDeclared: false };
}

function typeOf(schema: JsonSchema): FieldType | undefined {
  const options = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (options) return options.every((option) => typeOf(option) !== undefined) ? 'string' : undefined;
  switch (schema.type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return schema.type;
    case undefined:
      // Values without a declared type are compared as text.
      return (schema.properties ?? schema.items) ? undefined : 'string';
    default:
      return undefined;
  }
}

function choicesOf(schema: JsonSchema): readonly string[] | undefined {
  return schema.type === 'string' ? schema.enum?.filter((choice) => typeof choice === 'string') : undefined;
}

/** Converts a value for comparison. A value of another type counts as null. */
export function scalarOf(value: unknown, type: FieldType): Scalar {
  if (value === null || value === undefined) return null;
  if (type === 'string')
    return typeof value === 'string'
      ? value
      : typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Compares two values of a field: null first, then ascending. Texts are compared by UTF-16 code units. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
