import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AsRunObject } from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import { AsRunTable } from '../../db/as-run/as-run-table.ts';
import { silentLog } from '../../lib/log.ts';
import type { Caller } from '../../operators/caller.ts';
import { type PiecesBody, type EndpointRequest } from '../endpoints/endpoint.ts';
import { readQueryString } from '../endpoints/query-string.ts';
import { asRunEndpoints } from './as-run-endpoints.ts';

interface ListPage {
  readonly as_run: readonly Partial<AsRunObject>[];
  readonly next: string | null;
  readonly prev: string | null;
  readonly estimated_count: number;
}

const CALLER = { who: 'test' };
let table: AsRunTable;
let exported: unknown[] = [];

beforeAll(() => {
  table = AsRunTable.open(':memory:', { log: silentLog, now: () => 0 });
  table.write(
    Array.from({ length: 10 }, (_, index) => ({
      id: `r${index}`,
      sent_at: 1000 + Math.floor(index / 3),
      stream: index % 2 ? 'odd' : 'even',
      session_id: 's',
      path: 'ads/a.mp4',
      break_id: `interval-${index}`,
      placement: 'midroll',
      midroll_insert_by: 'interval',
      dts: 1,
      duration: 4,
      sent: 4,
      progress: 100,
      proto: 'hls',
      country: null,
      user_id: null,
    })),
  );
});

afterAll(() => {
  table.close();
});

const endpoints = asRunEndpoints({
  asRun: {
    rows: (query) => Promise.resolve(table.rows(query)),
    count: (conditions) => Promise.resolve(table.count(conditions)),
    page: () => Promise.reject(new Error('not of the API')),
    publicKey: () => Promise.resolve('key'),
    export(...args) {
      exported = args;
      const lines = async function* () {
        await Promise.resolve();
        yield 'line\n';
      };
      return Promise.resolve(lines());
    },
  },
});

async function request(
  id: string,
  query: string,
  caller: Pick<Caller, 'prefixes'> | typeof CALLER = CALLER,
): Promise<unknown> {
  const url = `/streamer/api/v3/ads/as_run${query}`;
  const endpoint = endpoints.find((one) => one.id === id);
  // The handlers read nothing else.
  const answer = await endpoint?.handle({ url, query: readQueryString(url), caller } as unknown as EndpointRequest);
  return answer?.body;
}

async function list(query: string): Promise<ListPage> {
  return (await request('as_run_list', query)) as ListPage;
}

function ids({ as_run: rows }: ListPage): string {
  return rows.map(({ id }) => id?.slice(1)).join('');
}

describe('the as-run API', () => {
  it.each([
    ['', '0123456789'],
    ['&sort=-sent_at', '9876543210'],
    ['&stream=odd', '13579'],
    ['&stream=odd&sort=-sent_at', '97531'],
  ])('pages forward and backward with %s', async (more, all) => {
    const pages: ListPage[] = [await list(`?limit=3${more}`)];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
      pages.push(await list(`?limit=3&cursor=${next}${more}`));
    expect(pages.map(ids).join('')).toBe(all);
    expect(pages[0]?.prev).toBeNull();
    expect(pages[0]?.estimated_count).toBe(all.length);
    const back: string[] = [];
    for (let prev = pages.at(-1)?.prev; prev;) {
      const page = await list(`?limit=3&cursor=${prev}${more}`);
      back.unshift(ids(page));
      prev = page.prev;
    }
    expect(back.join('')).toBe(pages.slice(0, -1).map(ids).join(''));
  });

  it('filters by stream, clip, break, session and time, and returns selected fields', async () => {
    expect(ids(await list('?break_id=interval-4'))).toBe('4');
    expect(ids(await list('?path_like=ads/&session_id=s&sent_at_gte=1002&sent_at_lt=1003'))).toBe('678');
    expect((await list('?select=path&limit=1')).as_run).toEqual([{ path: 'ads/a.mp4' }]);
  });

  it.each(['?sort=path', '?q=a', '?format=openmetrics', '?colour=red', '?sent_at=soon', '?cursor=x'])(
    'refuses %s',
    async (query) => {
      await expect(list(query)).rejects.toMatchObject({
        code: query.startsWith('?cursor') ? 'bad_cursor' : 'bad_query',
      });
    },
  );

  it('is limited to the streams of the caller', async () => {
    const page = (await request('as_run_list', '', { prefixes: ['odd'] })) as ListPage;
    expect([ids(page), page.estimated_count]).toEqual(['13579', 5]);
    expect(ids((await request('as_run_list', '?stream=even', { prefixes: ['odd'] })) as ListPage)).toBe('');
    await request('as_run_export', '?stream=even', { prefixes: ['odd'] });
    expect(exported[1]).toEqual([
      { field: 'stream', operator: 'below', values: ['odd'] },
      { field: 'stream', operator: 'in', values: ['even'] },
    ]);
  });

  it('exports with the same filters', async () => {
    const body = (await request('as_run_export', '?format=csv&stream=odd')) as PiecesBody;
    let text = '';
    for await (const piece of body.pieces) text += piece;
    expect([text, body.contentType]).toEqual(['line\n', 'text/csv; charset=utf-8']);
    expect(exported).toEqual(['csv', [{ field: 'stream', operator: 'in', values: ['odd'] }]]);
    for (const query of ['?format=xml', '?limit=3'])
      await expect(request('as_run_export', query)).rejects.toMatchObject({ code: 'bad_query' });
  });
});
