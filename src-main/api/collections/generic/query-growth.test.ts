import { describe, expect, it } from 'vitest';
import { streamObjectSchema } from '../../objects/stream-schemas.ts';
import { expectLinear } from '../../../../tests/helpers/growth.ts';
import { jsonSchemaOf } from '../../endpoints/json-schema.ts';
import { readQueryString, splitAtCommas } from '../../endpoints/query-string.ts';
import { runAtOnce } from '../../../lib/turns.ts';
import { parseJsonInSteps } from '../../endpoints/parse-json.ts';
import { readCursor } from './cursor.ts';
import { requireMatch } from './preconditions.ts';
import { FieldTable } from './field-table.ts';
import { readFilter } from './filter.ts';
import { readObjectBody, readObjectBodyInSteps } from './object-body.ts';
import { readSelection } from './selection.ts';
import { readSort } from './sort.ts';

const schema = jsonSchemaOf(streamObjectSchema);
const fields = new FieldTable(schema);
const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
  return undefined;
};
const list = (size: number, word: (index: number) => string): string =>
  Array.from({ length: size }, (_, index) => word(index)).join(',');

describe('the time to read a request is proportional to its size', () => {
  it('with many parameters, or a long query string', async () => {
    await expectLinear({ make: (size) => `/s?${'a&'.repeat(size)}`, run: (url) => codeOf(() => readQueryString(url)) });
    await expectLinear({ make: (size) => `/s?a=${'%2C+'.repeat(size)}`, run: readQueryString });
    expect(codeOf(() => readQueryString(`/s?${'a&'.repeat(201)}`))).toBe('bad_query');
  });

  it('with commas and backslashes in values', async () => {
    await expectLinear({ make: (size) => ',\\,\\\\'.repeat(size), run: splitAtCommas });
  });

  it('with many values in a filter, limited to 1000', async () => {
    const filter = (value: string) => readFilter({ name: 'name', value }, fields);
    await expectLinear({ make: (size) => list(size, String), run: (value) => codeOf(() => filter(value)) });
    expect(filter(list(1000, String)).values).toHaveLength(1000);
    expect(codeOf(() => filter(list(1001, String)))).toBe('bad_query');
    await expectLinear({
      make: (size) => 'stats.'.repeat(size),
      run: (name) => codeOf(() => readFilter({ name, value: '1' }, fields)),
    });
  });

  it('with many fields in select, also free-form keys', async () => {
    await expectLinear({
      make: (size) => list(size, (index) => `labels.k${index}`),
      run: (text) => readSelection(text, fields),
    });
  });

  it('with many fields in sort, limited to 16', async () => {
    await expectLinear({
      make: (size) => list(size, () => 'name'),
      run: (text) => codeOf(() => readSort(text, fields, [])),
    });
    expect(
      codeOf(() =>
        readSort(
          list(17, () => 'name'),
          fields,
          [],
        ),
      ),
    ).toBe('bad_query');
  });

  it('with a long cursor, and with many preconditions', async () => {
    await expectLinear({ make: (size) => 'A'.repeat(size), run: (text) => codeOf(() => readCursor(text, 'b', [])) });
    expect(codeOf(() => readCursor('A'.repeat(20_000), 'b', []))).toBe('bad_cursor');
    await expectLinear({
      make: (size) => ({ headers: { 'if-match': '"a",'.repeat(size), 'if-none-match': 'W/"a",'.repeat(size) } }),
      run: (request) => codeOf(() => requireMatch(request, '"b"')),
    });
  });

  it('with brackets, long keys, and many items in a body', async () => {
    await expectLinear({
      make: (size) => '['.repeat(size),
      run: (text) => codeOf(() => runAtOnce(parseJsonInSteps(text))),
    });
    expect(codeOf(() => runAtOnce(parseJsonInSteps('['.repeat(65))))).toBe('bad_request');
    await expectLinear({
      make: (size) => ({ ['k'.repeat(size)]: 1 }),
      run: (body) => codeOf(() => readObjectBody(body, schema)),
    });
    await expectLinear({
      make: (size) => ({ inputs: Array.from({ length: Math.min(size, 2000) }, input), labels: keys(size) }),
      run: (body) => readObjectBody(body, schema),
      sizes: [500, 16_000],
    });
  });

  it('without reading any items if a body has too many', () => {
    let reads = 0;
    const item = new Proxy(input(), {
      get: (...parts) => {
        reads++;
        return Reflect.get(...parts) as unknown;
      },
      ownKeys: (object) => {
        reads++;
        return Reflect.ownKeys(object);
      },
    });
    const body = (length: number): object => ({ inputs: Array.from({ length }, () => item) });
    expect(codeOf(() => readObjectBody(body(2001), schema))).toBe('config_bad_value');
    expect(reads).toBe(0);
    readObjectBody(body(2000), schema);
    expect(reads).toBeGreaterThanOrEqual(2000);
  });

  it('in steps for a large body', () => {
    const body = { inputs: Array.from({ length: 2000 }, input), labels: keys(20_000) };
    expect([...readObjectBodyInSteps(body, schema)].length).toBeGreaterThanOrEqual(110);
  });
});

function input(): { readonly url: string } {
  return { url: 'fake://' };
}

function keys(size: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, 'v']));
}
