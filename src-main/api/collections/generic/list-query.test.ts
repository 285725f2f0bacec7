import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AirdeskError } from '../../../../src-preload/contract/index.ts';
import { FieldTable } from './field-table.ts';
import { jsonSchemaOf } from '../../endpoints/json-schema.ts';
import { readListQuery, type Queryable } from './list-query.ts';
import { selectFields } from './selection.ts';

const schema = z.object({
  name: z.string(),
  position: z.number().int(),
  kind: z.enum(['one', 'two']),
  stats: z.object({
    alive: z.boolean(),
    rate: z.number().nullable(),
    media_info: z.object({ width: z.number().int() }).nullable(),
  }),
  inputs: z.array(z.object({ url: z.string(), priority: z.number().int() })),
  labels: z.record(z.string(), z.string()).optional(),
});
const LIST: Queryable = {
  name: 'things',
  fields: new FieldTable(jsonSchemaOf(schema)),
  implicitSort: ['position', 'name'],
};

function read(query: string): ReturnType<typeof readListQuery> {
  return readListQuery(`/things?${query}`, LIST);
}

function problem(query: string): { readonly code: string; readonly parameter: unknown } | undefined {
  try {
    read(query);
    return undefined;
  } catch (error) {
    if (!(error instanceof AirdeskError)) throw error;
    return { code: error.code, parameter: error.details['parameter'] };
  }
}

describe('readListQuery', () => {
  it('fills in defaults', () => {
    const query = readListQuery('/things', LIST);
    expect(query).toMatchObject({
      filters: [],
      search: undefined,
      limit: 100,
      isLimited: false,
      cursor: undefined,
      select: undefined,
    });
    expect(query.sort.map(({ field }) => field.path)).toEqual(['position', 'name']);
  });

  it('adds implicit fields to the order unless they are given', () => {
    expect(read('sort=-name,stats.rate').sort.map(({ field, isDescending }) => [field.path, isDescending])).toEqual([
      ['name', true],
      ['stats.rate', false],
      ['position', false],
    ]);
  });

  it.each([
    ['stats.alive=true', 'stats.alive', 'in', [true]],
    ['stats.alive', 'stats.alive', 'in', [true]],
    ['name=a,b', 'name', 'in', ['a', 'b']],
    ['name=a%2Cb', 'name', 'in', ['a', 'b']],
    ['name=a%5C%2Cb', 'name', 'in', ['a,b']],
    ['name=cam+1', 'name', 'in', ['cam 1']],
    ['name_ne=x', 'name', 'ne', ['x']],
    ['position_lt=-3', 'position', 'lt', [-3]],
    ['stats.rate_gte=1.5e3', 'stats.rate', 'gte', [1500]],
    ['stats.media_info_is=null', 'stats.media_info', 'is', []],
    ['stats.rate_is_not=null', 'stats.rate', 'is_not', []],
    ['labels.site=north', 'labels.site', 'in', ['north']],
    ['labels.site_like=no', 'labels.site', 'like', ['no']],
    ['labels.site.of=north', 'labels.site.of', 'in', ['north']],
    ['name_like=a,b', 'name', 'like', ['a,b']],
    ['kind=two', 'kind', 'in', ['two']],
  ])('reads %s', (text, path, operator, values) => {
    const [filter] = read(text).filters;
    expect({ path: filter?.field.path, operator: filter?.operator, values: filter?.values }).toEqual({
      path,
      operator,
      values,
    });
  });

  it.each([
    ['nothing=1', 'bad_query', 'nothing'],
    ['stats.nothing_gt=1', 'bad_query', 'stats.nothing_gt'],
    ['inputs.url=x', 'bad_query', 'inputs.url'],
    ['stats=1', 'bad_query', 'stats'],
    ['position=one', 'bad_query', 'position'],
    ['position=1,two', 'bad_query', 'position'],
    ['position=1.5', 'bad_query', 'position'],
    ['position=99999999999999999999', 'bad_query', 'position'],
    ['stats.alive=yes', 'bad_query', 'stats.alive'],
    ['stats.alive_gt=true', 'bad_query', 'stats.alive_gt'],
    ['stats.rate_like=1', 'bad_query', 'stats.rate_like'],
    ['stats.rate_is=1', 'bad_query', 'stats.rate_is'],
    ['kind=three', 'bad_query', 'kind'],
    ['__proto__=1', 'bad_query', '__proto__'],
    ['constructor.name=1', 'bad_query', 'constructor.name'],
    ['sort=nothing', 'bad_query', 'sort'],
    ['sort=stats', 'bad_query', 'sort'],
    ['sort=inputs.url', 'bad_query', 'sort'],
    ['limit=0', 'bad_query', 'limit'],
    ['limit=-1', 'bad_query', 'limit'],
    ['limit=abc', 'bad_query', 'limit'],
    ['limit=1001', 'bad_query', 'limit'],
    ['limit=', 'bad_query', 'limit'],
    ['limit=1&limit=2', 'bad_query', 'limit'],
    ['select=nothing', 'bad_query', 'select'],
    ['name=%ff', 'bad_query', 'name'],
    ['cursor=%7B%7D', 'bad_cursor', 'cursor'],
    ['cursor=abcd', 'bad_cursor', 'cursor'],
    ['cursor=null', 'bad_cursor', 'cursor'],
  ])('refuses %s', (text, code, parameter) => {
    expect(problem(text)).toEqual({ code, parameter });
  });

  it('throws no other error, for any query', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'sort',
        'limit',
        'cursor',
        'select',
        'q',
        'name',
        'position_lt',
        'stats.alive',
        'labels.a',
        '=',
        '&',
        ',',
        '-',
        '_is',
        'null',
        '%',
        '%41',
        '1',
        '\\',
        '.',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const found = problem(parts.join(''));
        expect(found === undefined || found.code === 'bad_query' || found.code === 'bad_cursor').toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('selectFields', () => {
  const thing = {
    name: 'a',
    position: 1,
    kind: 'one',
    stats: { alive: true, rate: null, media_info: { width: 1 } },
    inputs: [
      { url: 'x', priority: 1 },
      { url: 'y', priority: 2 },
    ],
  };

  it.each([
    ['name', { name: 'a' }],
    ['stats.alive,name', { stats: { alive: true }, name: 'a' }],
    ['stats,stats.alive', { stats: thing.stats }],
    ['stats.alive,stats', { stats: thing.stats }],
    ['inputs.url', { inputs: [{ url: 'x' }, { url: 'y' }] }],
    ['labels.site', {}],
  ])('with %s returns only these fields', (text, expected) => {
    expect(selectFields(thing, read(`select=${text}`).select ?? {})).toEqual(expected);
  });
});
