import { AirdeskError } from '../../../../src-preload/contract/index.ts';
import { suggest } from '../../../lib/suggest.ts';
import { MAX_RECORDS } from '../../../config/schema/directive.ts';
import { runAtOnce } from '../../../lib/turns.ts';
import type { JsonObject } from '../../objects/object-source.ts';
import type { NestedList } from '../../objects/body-fragment.ts';
import type { BodySchema } from '../../endpoints/endpoint.ts';
import {
  jsonSchemaOf,
  mapSchema,
  withNothingRequired,
  type Json,
  type JsonSchema,
} from '../../endpoints/json-schema.ts';

/** Maximum length of an object list in a body: it may remove all existing objects and add as many new ones. */
const MAX_LISTED = 2 * MAX_RECORDS;
/** Number of list items that are checked between two checks of the time. */
const ITEMS_PER_STEP = 200;

export function nestedLists(schema: BodySchema): NestedList[] {
  const { properties = {} } = jsonSchemaOf(schema);
  return Object.entries(properties).flatMap(([name, { items, 'x-key': key }]) =>
    items && items.type === 'object' ? [{ name, key: typeof key === 'string' ? key : undefined }] : [],
  );
}

/**
 * Parses the body of a write. Read-only keys are dropped; unknown keys raise `unknown_key`, and values of a wrong type
 * `bad_value`, with their place in the body. The values themselves are validated later, where they are used.
 */
export function readObjectBody(body: unknown, schema: BodySchema): JsonObject {
  return runAtOnce(readObjectBodyInSteps(body, schema));
}

export function* readObjectBodyInSteps(body: unknown, schema: BodySchema): Generator<void, JsonObject> {
  if (!isObject(body)) throw new AirdeskError('bad_request', 'The body must be a JSON object', { pointer: '' });
  const { $reset, ...fields } = withoutReport(body);
  if ($reset !== undefined && typeof $reset !== 'boolean')
    throw new AirdeskError('bad_value', '$reset must be true or false', { pointer: '/$reset' });
  const checked = yield* checkObject(fields, jsonSchemaOf(schema), '', false);
  return $reset === true ? { ...checked, $reset } : checked;
}

/** Removes fields that the answer to a write adds to the object, because clients may send them back. */
function withoutReport({ warnings: _warnings, effect: _effect, ...body }: JsonObject): JsonObject {
  return body;
}

/** Schema of the body of a write. All fields are optional, null removes a field, and lists are edited item by item. */
export function bodySchema(schema: JsonSchema): JsonSchema {
  const changed = mapSchema(withNothingRequired(schema), (part) => {
    if (!part.properties) return part;
    return {
      ...part,
      properties: Object.fromEntries(
        Object.entries(part.properties).map(([key, value]) => [key, value.readOnly ? value : editable(value)]),
      ),
    };
  });
  return {
    ...changed,
    properties: {
      ...changed.properties,
      $reset: { type: 'boolean', description: 'true: fields that the body does not name are removed' },
    },
  };
}

function editable(schema: JsonSchema): JsonSchema {
  const { items } = schema;
  const list =
    items && items.type === 'object'
      ? { ...schema, items: { ...items, properties: { ...items.properties, ...LIST_KEYS } } }
      : schema;
  const { description, ...rest } = list;
  return { anyOf: [rest, { type: 'null' }], ...(description === undefined ? {} : { description }) };
}

const LIST_KEYS = {
  $index: {
    type: 'integer',
    description:
      'the index of the item to change, from 0; without an index and without the key of an existing item, the item is added',
  },
  $delete: { type: 'boolean', description: 'true: the item is removed' },
} as const satisfies Record<string, JsonSchema>;

function* checkValue(value: Json, schema: JsonSchema, pointer: string): Generator<void, Json> {
  if (value === null) return value;
  const options = schema.anyOf ?? [schema];
  const fitting = options.find((option) => fitsType(value, option));
  if (!fitting) throw new AirdeskError('bad_value', `Expected ${options.map(typeName).join(' or ')}`, { pointer });
  if (fitting.anyOf) return yield* checkValue(value, fitting, pointer);
  if (Array.isArray(value)) return yield* checkItems(value as readonly Json[], fitting.items, pointer);
  return isObject(value) && (fitting.properties ?? fitting.additionalProperties)
    ? yield* checkObject(value, fitting, pointer, false)
    : value;
}

function* checkItems(values: readonly Json[], items: JsonSchema['items'], pointer: string): Generator<void, Json> {
  if (!items) return values;
  // The number of items is limited before the items are checked.
  if (items.type === 'object' && values.length > MAX_LISTED)
    throw new AirdeskError('config_bad_value', `At most ${MAX_RECORDS} items are allowed here`, { pointer });
  const taken = new Set<Json>();
  const checked: Json[] = [];
  for (const [index, item] of values.entries()) {
    if (index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    const itemPointer = `${pointer}/${index}`;
    // An item of an object list may be only its identifying value, such as an address.
    if (items.type === 'object' && typeof item === 'string') checked.push(item);
    else if (!isObject(item) || items.type !== 'object') checked.push(yield* checkValue(item, items, itemPointer));
    else {
      const at = item['$index'];
      if (at !== undefined && taken.has(at))
        throw new AirdeskError('bad_value', `The item ${JSON.stringify(at)} is named twice`, {
          pointer: `${itemPointer}/$index`,
        });
      if (at !== undefined) taken.add(at);
      checked.push(yield* checkObject(item, items, itemPointer, true));
    }
  }
  return checked;
}

/** Whether a value has the type of a schema. A schema without a type accepts any value. */
function fitsType(
  value: Json,
  { type, anyOf, const: only, enum: choices = only === undefined ? [] : [only] }: JsonSchema,
): boolean {
  if (anyOf) return anyOf.some((option) => fitsType(value, option));
  switch (type) {
    case undefined:
      return choices.length === 0 || choices.some((choice) => typeof choice === typeof value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
    case 'number':
      return typeof value === 'number';
    default:
      return typeof value === type;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  null: 'null',
};

function typeName({ type = '', enum: choices, const: only }: JsonSchema): string {
  return TYPE_NAMES[type] ?? JSON.stringify(only ?? choices ?? 'another value');
}

function* checkObject(
  object: JsonObject,
  schema: JsonSchema,
  pointer: string,
  isListItem: boolean,
): Generator<void, JsonObject> {
  const checked: Record<string, Json> = {};
  const { properties = {}, additionalProperties } = schema;
  for (const [index, [key, value]] of Object.entries(object).entries()) {
    if (index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    const fieldPointer = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const part = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (part?.readOnly) continue;
    if (isListItem && Object.hasOwn(LIST_KEYS, key)) checked[key] = checkListKey(key, value, fieldPointer);
    else if (part) checked[key] = yield* checkValue(value, part, fieldPointer);
    else if (key === '__proto__' || additionalProperties === undefined || additionalProperties === false)
      throw unknownKey(key, properties, fieldPointer);
    else
      checked[key] =
        typeof additionalProperties === 'object' ? yield* checkValue(value, additionalProperties, fieldPointer) : value;
  }
  return checked;
}

function unknownKey(key: string, properties: Readonly<Record<string, JsonSchema>>, pointer: string): AirdeskError {
  const similar = suggest(key, Object.keys(properties));
  const help = similar === undefined ? '' : `; did you mean ${similar}?`;
  return new AirdeskError('unknown_key', `There is no key ${key.slice(0, 100)} here${help}`, {
    pointer: pointer.slice(0, 500),
  });
}

function checkListKey(key: string, value: Json, pointer: string): Json {
  const fits =
    key === '$index'
      ? typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      : typeof value === 'boolean';
  if (!fits)
    throw new AirdeskError(
      'bad_value',
      key === '$index' ? '$index must be an index, from 0' : '$delete must be true or false',
      { pointer },
    );
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
