import type { BodySchema, ParameterDoc } from '../../endpoints/endpoint.ts';
import { jsonSchemaOf, withoutNull, type JsonSchema } from '../../endpoints/json-schema.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './list-query.ts';
import { inQuery } from '../../endpoints/parameters.ts';

const text: JsonSchema = { type: 'string' };

export const SELECT: ParameterDoc = inQuery('select', 'fields of the answer, separated by commas; default: all');

/** Parameters of every list, without filters. */
export const PAGE_PARAMETERS: readonly ParameterDoc[] = [
  inQuery('sort', 'sort fields, at most 16, separated by commas; - before a field: descending'),
  inQuery('limit', `number of objects; default ${DEFAULT_LIMIT}`, {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
  }),
  inQuery('cursor', 'next or prev of another page, with the same sort and filters'),
  SELECT,
  inQuery('q', 'text to search for in names, titles and addresses, at most 200 characters'),
  inQuery('format', 'openmetrics: numbers as metrics instead of JSON'),
];

/** Parameters of a list of objects: order, pages, and filters for each public field. */
export function listParameters(schema: BodySchema): readonly ParameterDoc[] {
  const fields = comparableFields(jsonSchemaOf(schema), '');
  const sortable = fields.flatMap(({ path, type }) => (type === undefined ? [] : [path, `-${path}`]));
  const sort: JsonSchema = { type: 'array', items: { type: 'string', enum: sortable } };
  return [
    ...PAGE_PARAMETERS.map((parameter) => (parameter.name === 'sort' ? { ...parameter, schema: sort } : parameter)),
    ...fields.flatMap(filtersOf),
  ];
}

interface ComparableField {
  readonly path: string;
  readonly schema: JsonSchema;
  /** Type of its values; undefined for objects and lists. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | undefined;
  readonly isNullable: boolean;
  /** Whether the field is inside an optional object. The document then lists only its plain filter, to stay readable. */
  readonly isInside: boolean;
}

const TYPES = ['string', 'integer', 'number', 'boolean'] as const;

/** Public fields of objects, with those inside them. */
function comparableFields(
  { properties = {}, required = [] }: JsonSchema,
  prefix: string,
  isInside = false,
): ComparableField[] {
  return Object.entries(properties).flatMap(([key, part]): ComparableField[] => {
    if (part['x-private'] || part.deprecated) return [];
    const schema = withoutNull(part);
    const type = TYPES.find((name) => name === schema.type);
    const isNullable = schema !== part || !required.includes(key);
    const path = prefix + key;
    return [
      { path, schema, type, isNullable, isInside },
      ...comparableFields(schema, `${path}.`, isInside || isNullable),
    ];
  });
}

/** Filters of a field that make sense for its type and position. */
function filtersOf(field: ComparableField): ParameterDoc[] {
  const all = allFiltersOf(field);
  return field.isInside ? all.filter(({ name }) => name === field.path) : all;
}

function allFiltersOf({ path, schema, type, isNullable }: ComparableField): ParameterDoc[] {
  const filter = (suffix: string, description: string, of: JsonSchema): ParameterDoc =>
    inQuery(path + suffix, description, of);
  const nulls = isNullable
    ? [
        filter('_is', 'null: only objects without a value', NULL),
        filter('_is_not', 'null: only objects with a value', NULL),
      ]
    : [];
  switch (type) {
    case 'string': {
      if (!schema.enum)
        return [
          filter('', 'only this value; a,b: one of these', text),
          filter('_ne', 'not this value; a,b: none of these', text),
          filter('_like', 'values that start with this text', text),
          ...nulls,
        ];
      const some: JsonSchema = { type: 'array', items: { type: 'string', enum: schema.enum } };
      return [filter('', 'only one of these', some), filter('_ne', 'none of these', some), ...nulls];
    }
    case 'integer':
    case 'number':
      return [
        filter('', 'only one of these', { type: 'array', items: { type } }),
        filter('_lt', 'less', { type }),
        filter('_lte', 'less or equal', { type }),
        filter('_gt', 'more', { type }),
        filter('_gte', 'more or equal', { type }),
        ...nulls,
      ];
    case 'boolean':
      return [filter('', 'only this value', { type })];
    case undefined:
      return nulls;
    default:
      return type satisfies never;
  }
}

const NULL: JsonSchema = { type: 'string', enum: ['null'] };
