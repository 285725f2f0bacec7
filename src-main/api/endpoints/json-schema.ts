import { z } from 'zod';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Parts of JSON Schema (2020-12) that the contract uses. */
export interface JsonSchema {
  /** A single type. Several types are alternatives in `anyOf`. */
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  /** Schema of the items; false after the items of a tuple. */
  readonly items?: JsonSchema | false;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly deprecated?: boolean;
  readonly 'x-private'?: boolean;
  readonly 'x-delete-at'?: string;
  readonly $ref?: string;
  readonly [key: string]: unknown;
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

/**
 * JSON Schema of the output of a contract schema. It is created at its first use, because creating all of them would take a
 * tenth of the start time.
 */
export function jsonSchemaOf(schema: z.ZodType | JsonSchema): JsonSchema {
  if (!(schema instanceof z.ZodType)) return schema;
  const jsonSchema = jsonSchemas.get(schema) ?? makeSchema(schema);
  jsonSchemas.set(schema, jsonSchema);
  return jsonSchema;
}

function makeSchema(schema: z.ZodType): JsonSchema {
  // For the parts that the contract uses, the result is stricter than the type that the library declares.
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'output', reused: 'inline' }) as JsonSchema;
  const text = JSON.stringify(rest, (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' ? portablePattern(value) : value,
  );
  // A JSON Schema is a JSON value.
  return mapSchema(JSON.parse(text) as JsonSchema, splitTypes);
}

/** Changes a schema and all schemas in it, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (part: JsonSchema): JsonSchema => mapSchema(part, change);
  return change({
    ...schema,
    ...(schema.properties
      ? { properties: Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, inner(part)])) }
      : {}),
    ...(schema.items ? { items: inner(schema.items) } : {}),
    ...(schema.prefixItems ? { prefixItems: schema.prefixItems.map(inner) } : {}),
    ...(typeof schema.additionalProperties === 'object'
      ? { additionalProperties: inner(schema.additionalProperties) }
      : {}),
    ...(schema.anyOf ? { anyOf: schema.anyOf.map(inner) } : {}),
  });
}

/** Removes the alternative null from a schema. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const rest = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = rest;
  return only && rest.length === 1 ? only : schema;
}

/**
 * Marks all fields of a schema as optional, at any depth: for answers with selected fields, and for bodies that change some
 * fields.
 */
export function withNothingRequired(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ required: _required, ...rest }) => rest);
}

/**
 * Rewrites a pattern so that all regular expression engines support it, because not all know `\p{L}`. The result only excludes
 * the ASCII characters that a name cannot have, so it accepts a little more than the server does.
 */
function portablePattern(pattern: string): string {
  return pattern
    .replaceAll('[\\p{L}\\p{N}_]', '[^\\x00-/:-@\\[-\\^`{-\\x7f]')
    .replaceAll('[\\p{L}\\p{N}._~@+-]', '[^\\x00-*,/:-?\\[-\\^`{-}\\x7f]');
}

function splitTypes(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema as Readonly<Record<string, unknown>>;
  if (!Array.isArray(type)) return schema;
  return { ...rest, anyOf: (type as readonly string[]).map((one) => ({ type: one })) };
}
