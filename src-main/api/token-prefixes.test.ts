import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testSession } from '../../tests/helpers/api-stage.ts';
import { CollectionStage, type StageAnswer } from '../../tests/helpers/collection-stage.ts';
import { hashOfToken } from '../operators/api-tokens.ts';

const SCOPES = ['view', 'operate', 'admin'] as const;
const secretOf = (name: string): string => `airdesk_${name.padEnd(43, '0')}`;
const tokens = SCOPES.flatMap((scope) => [
  { name: scope, rights: `scope ${scope};` },
  { name: `studio_${scope}`, rights: `scope ${scope}; prefix studio;` },
]);

const CONFIG = `http 80;
edit_auth boss hidden;
${tokens.map(({ name, rights }) => `api_token ${name} { hash ${hashOfToken(secretOf(name))}; ${rights} }`).join('\n')}
stream studio/a { input fake://; }
stream studios { input fake://; }
vod clips { storage /srv/clips; }
`;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
function openSessions(): void {
  stage.sessions.set('inside', testSession('inside', 'studio/a'));
  stage.sessions.set('outside', testSession('outside', 'studios'));
}
beforeEach(() => {
  openSessions();
  stage.feed();
});
afterAll(() => stage.close());

function request(token: string, method: string, path: string, body?: unknown): Promise<StageAnswer> {
  const type = typeof body === 'string' ? { 'content-type': 'text/plain' } : {};
  return stage.request(method, path, body, { authorization: `Bearer ${secretOf(token)}`, ...type });
}

const LEGACY = '/mediaserver/api';
const NATIVE = '/streamer/api-v4';
/**
 * Statuses for the scopes view, operate and admin: first of tokens without a prefix, then of tokens with `prefix
 * studio`.
 */
type Row = readonly [method: string, path: string, body: unknown, all: readonly number[], studio: readonly number[]];

const SEEN = [200, 200, 200];
const NOT_FOUND = [404, 404, 404];
const CLOSED = [403, 403, 403];
const OPERATE = [403, 200, 200];
const ADMIN = [403, 403, 200];

const EXPORTS = '/dvr_export_jobs';
const HOUR = { from: 1_795_230_000_000, duration: 3_600_000 };
/** Callers with the scope for exports get 503, because there is no archive here. */
const EXPORT = [403, 503, 503];

const READS: readonly Row[] = [
  ['GET', `${LEGACY}/media`, undefined, SEEN, SEEN],
  ['GET', `${LEGACY}/media_info/studio%2Fa`, undefined, SEEN, SEEN],
  ['GET', `${LEGACY}/media_info/studios`, undefined, SEEN, NOT_FOUND],
  ['GET', `${LEGACY}/input_media_info/studio%2Fa`, undefined, SEEN, SEEN],
  ['GET', `${LEGACY}/input_media_info/studios`, undefined, SEEN, NOT_FOUND],
  ['GET', `${LEGACY}/stream_health/studio%2Fa`, undefined, SEEN, SEEN],
  ['GET', `${LEGACY}/stream_health/studios`, undefined, SEEN, NOT_FOUND],
  ['GET', `${LEGACY}/playlist/studios`, undefined, NOT_FOUND, NOT_FOUND],
  ['GET', `${LEGACY}/sessions`, undefined, SEEN, SEEN],
  ['GET', `${LEGACY}/dvr_status/2026/11/20/studio%2Fa`, undefined, SEEN, SEEN],
  ['GET', `${LEGACY}/dvr_status/2026/11/20/studios`, undefined, SEEN, NOT_FOUND],
  ['GET', `${LEGACY}/server`, undefined, SEEN, CLOSED],
  ['GET', `${LEGACY}/cluster_servers`, undefined, SEEN, CLOSED],
  ['GET', `${LEGACY}/read_config`, undefined, ADMIN, CLOSED],
  ['GET', `${NATIVE}/streams`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/streams/studio%2Fa`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/streams/studios`, undefined, SEEN, NOT_FOUND],
  ['GET', `${NATIVE}/streams/stats`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/streams-stats`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/sessions/stats`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/live-metrics`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/sessions-metrics`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/auth`, undefined, SEEN, SEEN],
  ['GET', `${NATIVE}/runtime/metrics`, undefined, SEEN, CLOSED],
  ['GET', `${NATIVE}/listeners`, undefined, SEEN, CLOSED],
  ['GET', `${NATIVE}/dvr`, undefined, SEEN, CLOSED],
  ['GET', '/-/streams', undefined, SEEN, SEEN],
];

const WRITES: readonly Row[] = [
  ['POST', `${LEGACY}/stream_restart/studio%2Fa`, undefined, OPERATE, OPERATE],
  ['GET', `${LEGACY}/stream_restart/studio%2Fa`, undefined, OPERATE, OPERATE],
  ['POST', `${LEGACY}/stream_restart/studios`, undefined, OPERATE, CLOSED],
  ['GET', `${LEGACY}/stream_restart/studios`, undefined, OPERATE, CLOSED],
  ['POST', `${LEGACY}/stream_switch_source/studio%2Fa?url=fake://`, undefined, OPERATE, OPERATE],
  ['POST', `${LEGACY}/stream_switch_source/studios?url=fake://`, undefined, OPERATE, CLOSED],
  ['POST', `${LEGACY}/close_sessions`, 'inside', OPERATE, OPERATE],
  ['POST', `${LEGACY}/close_sessions`, 'inside\noutside', OPERATE, CLOSED],
  ['POST', `${LEGACY}/dvr_enable/studio%2Fa`, undefined, [403, 409, 409], [403, 409, 409]],
  ['POST', `${LEGACY}/dvr_enable/studios`, undefined, [403, 409, 409], CLOSED],
  ['POST', EXPORTS, { name: 'studio/a', ...HOUR, path: 'clips/a.mp4' }, EXPORT, CLOSED],
  ['POST', EXPORTS, { names: ['studio/a', 'studios'], ...HOUR }, EXPORT, CLOSED],
  ['POST', EXPORTS, { name: 'studios', names: ['studio/a'], ...HOUR }, EXPORT, CLOSED],
  ['POST', '/dvr_cases', { title: 'case' }, [403, 201, 201], CLOSED],
  ['POST', `${LEGACY}/dvr/delete`, { stream: 'studio/a', from: 1, duration: 1 }, ADMIN, ADMIN],
  ['POST', `${LEGACY}/dvr/delete`, { stream: 'studios', from: 1, duration: 1 }, ADMIN, CLOSED],
  ['POST', `${LEGACY}/config/stream_create`, 'stream studio/b { input fake://; }', ADMIN, ADMIN],
  ['POST', `${LEGACY}/config/stream_create`, 'stream studio/b { } stream studiox { }', ADMIN, CLOSED],
  ['POST', `${LEGACY}/config/stream_delete`, 'studio/b', ADMIN, [403, 403, 404]],
  ['POST', `${LEGACY}/config/stream_delete`, 'studiox', ADMIN, CLOSED],
  ['POST', `${LEGACY}/modify_config`, 'stream studio/a { input fake://; }', ADMIN, CLOSED],
  ['POST', `${LEGACY}/modify_config`, { streams: { 'studio/a': { title: 'A' } } }, ADMIN, CLOSED],
  ['POST', `${LEGACY}/reload`, undefined, ADMIN, CLOSED],
  ['POST', `${NATIVE}/dvr/cleanup`, undefined, ADMIN, CLOSED],
];

describe.each([
  ['reads', READS],
  ['writes', WRITES],
])('%s with tokens', (_, rows) => {
  it.each(rows)(
    'have the expected statuses without and with a prefix: %s %s %o',
    async (method, path, body, all, studio) => {
      for (const [prefix, statuses] of [
        ['', all],
        ['studio_', studio],
      ] as const) {
        const answers: StageAnswer[] = [];
        openSessions();
        for (const scope of SCOPES) answers.push(await request(prefix + scope, method, path, body));
        expect(
          answers.map(({ status }) => status),
          `${prefix || 'no prefix'}: ${JSON.stringify(answers.map((answer) => answer.body))}`,
        ).toEqual(statuses);
        for (const answer of answers)
          if (answer.status === 403) expect(answer.body).toMatchObject({ error: 'forbidden' });
      }
    },
  );
});

describe('the answer to a token with a prefix', () => {
  it.each([
    `${LEGACY}/media`,
    `${LEGACY}/media?name=studio/a,studios`,
    `${LEGACY}/sessions`,
    `${LEGACY}/sessions?name=studio/a`,
    `${NATIVE}/streams`,
    `${NATIVE}/streams?format=openmetrics`,
    `${NATIVE}/streams/stats`,
    `${NATIVE}/streams-stats`,
    `${NATIVE}/live-metrics`,
    `${NATIVE}/sessions-metrics`,
    '/-/streams',
  ])('at %s contains only streams below the prefix', async (path) => {
    for (const scope of SCOPES) {
      const text = JSON.stringify((await request(`studio_${scope}`, 'GET', path)).body);
      expect(text).toContain('studio/a');
      expect(text).not.toContain('studios');
    }
    expect(JSON.stringify((await request('view', 'GET', path.split('?')[0] ?? '')).body)).toContain('studios');
  });

  it('counts only sessions and viewers of streams below the prefix', async () => {
    const output = stage.streams.get('studios')?.output;
    if (output) output.viewerCount = 3;
    const stats = async (token: string): Promise<unknown> =>
      (await request(token, 'GET', `${NATIVE}/sessions/stats`)).body;
    expect(await stats('view')).toMatchObject({ session_count: 2, stream_count: 2 });
    expect(await stats('studio_view')).toMatchObject({ session_count: 1, stream_count: 1, total_clients: 0 });
    expect((await request('studio_view', 'GET', `${NATIVE}/streams`)).body).toMatchObject({ estimated_count: 1 });
  });

  it('contains the rights of the token', async () => {
    expect((await request('studio_operate', 'GET', `${NATIVE}/auth`)).body).toMatchObject({
      backends: [],
      caller: { who: 'token studio_operate', may_write: false, may_operate: true, prefixes: ['studio'] },
    });
    expect((await request('view', 'GET', `${NATIVE}/auth`)).body).toMatchObject({
      caller: { may_operate: false, prefixes: null },
    });
  });

  it('ends no session if one of the requested sessions is of another stream', async () => {
    await request('studio_operate', 'POST', `${LEGACY}/close_sessions`, 'inside\noutside');
    expect([...stage.sessions.keys()]).toEqual(['inside', 'outside']);
  });
});
