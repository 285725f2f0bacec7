import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { testSession } from '../../tests/helpers/api-stage.ts';
import { CollectionStage } from '../../tests/helpers/collection-stage.ts';
import { hashOfToken } from '../operators/api-tokens.ts';

const secretOf = (name: string): string => `airdesk_${name.padEnd(43, '0')}`;
const TOKENS = {
  view: 'scope view;',
  operate: 'scope operate;',
  admin: 'scope admin;',
  studio_view: 'prefix studio;',
  studio_operate: 'scope operate; prefix studio;',
  studio_admin: 'scope admin; prefix studio;',
};
type Token = keyof typeof TOKENS | 'revoked';

const CONFIG = `http 80;
${Object.entries(TOKENS)
  .map(([name, rights]) => `api_token ${name} { hash ${hashOfToken(secretOf(name))}; ${rights} }`)
  .join('\n')}
stream studio/a { input publish://; password hidden; }
stream studios { input publish://; }
vod clips { storage /srv/clips; }
`;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => {
  stage.sessions.set('inside', testSession('inside', 'studio/a'));
  stage.sessions.set('outside', testSession('outside', 'studios'));
});
afterAll(() => stage.close());

function request(token: Token, method: string, path: string, body?: unknown) {
  return stage.request(method, path, body, { authorization: `Bearer ${secretOf(token)}` });
}

/**
 * Request, and its status for each token: view, operate and admin, the same limited to `studio`, and a revoked token.
 */
const MATRIX: readonly (readonly [method: string, path: string, body: unknown, statuses: readonly number[]])[] = [
  ['GET', '/streams/studio%2Fa', undefined, [200, 200, 200, 200, 200, 200, 401]],
  ['GET', '/streams/studios', undefined, [200, 200, 200, 404, 404, 404, 401]],
  ['GET', '/streams/studio%2Fa/dvr/ranges', undefined, [200, 200, 200, 200, 200, 200, 401]],
  ['GET', '/streams/studios/dvr/ranges', undefined, [200, 200, 200, 404, 404, 404, 401]],
  ['GET', '/sessions/outside', undefined, [200, 200, 200, 404, 404, 404, 401]],
  ['GET', '/vods', undefined, [200, 200, 200, 403, 403, 403, 401]],
  ['GET', '/config/stats', undefined, [200, 200, 200, 403, 403, 403, 401]],
  ['GET', '/config', undefined, [403, 403, 200, 403, 403, 403, 401]],
  ['GET', '/api_tokens', undefined, [200, 200, 200, 403, 403, 403, 401]],
  ['POST', '/streams/studio%2Fa/stop', undefined, [403, 204, 204, 403, 204, 204, 401]],
  ['POST', '/streams/studios/stop', undefined, [403, 204, 204, 403, 403, 403, 401]],
  ['POST', '/sessions/reauth?name=studio/a', undefined, [403, 200, 200, 403, 200, 200, 401]],
  ['POST', '/sessions/reauth?name=studios', undefined, [403, 200, 200, 403, 403, 403, 401]],
  ['PUT', '/streams/studio%2Fa', { title: 'A' }, [403, 403, 200, 403, 403, 200, 401]],
  ['PUT', '/streams/studios', { title: 'S' }, [403, 403, 200, 403, 403, 403, 401]],
  ['POST', '/streams', { name: 'studios', title: 'S' }, [403, 403, 409, 403, 403, 403, 401]],
  ['POST', '/streams', { name: 'studios/new', title: 'S' }, [403, 403, 201, 403, 403, 403, 401]],
  ['PUT', '/api_tokens/view', { scope: 'view' }, [403, 403, 200, 403, 403, 403, 401]],
  ['POST', '/mediaserver/api/modify_config', {}, [403, 403, 0, 403, 403, 403, 401]],
];
const ORDER = ['view', 'operate', 'admin', 'studio_view', 'studio_operate', 'studio_admin', 'revoked'] as const;

describe('API tokens', () => {
  it.each(MATRIX)('limit %s %s %o by scope and prefix', async (method, path, body, statuses) => {
    const received: number[] = [];
    for (const [index, token] of ORDER.entries())
      received.push(statuses[index] === 0 ? 0 : (await request(token, method, path, body)).status);
    expect(received).toEqual(statuses);
  });

  it.each<[Token, string, number]>([
    ['view', 'inside', 403],
    ['operate', 'outside', 204],
    ['studio_view', 'inside', 403],
    ['studio_operate', 'inside', 204],
    ['studio_operate', 'outside', 404],
    ['studio_admin', 'outside', 404],
  ])('of the kind %s end the session %s: %i', async (token, session, status) => {
    expect((await request(token, 'DELETE', `/sessions/${session}`)).status).toBe(status);
    expect(stage.sessions.has(session)).toBe(status !== 204);
  });

  it('limited to a prefix list and count only its streams', async () => {
    const { body } = await request('studio_view', 'GET', '/streams');
    expect(body).toMatchObject({ streams: [{ name: 'studio/a' }], estimated_count: 1 });
    expect(await request('studio_view', 'GET', '/sessions')).toMatchObject({ body: { sessions: [{ id: 'inside' }] } });
    expect((await request('studio_view', 'GET', '/streams?format=openmetrics')).body).not.toContain('studios');
  });

  it('below admin scope see no secrets, and no token sees a hash', async () => {
    expect(JSON.stringify((await request('operate', 'GET', '/streams/studio%2Fa')).body)).not.toContain('hidden');
    expect(JSON.stringify((await request('admin', 'GET', '/api_tokens')).body)).not.toContain(
      hashOfToken(secretOf('admin')),
    );
  });

  it('open the bridge of the desk, with or without a prefix', async () => {
    const statuses = await Promise.all(
      (['view', 'studio_admin', 'revoked'] as const).map(async (token) => {
        const socket = new WebSocket(`${stage.url.replace('http', 'ws')}/-/bridge`, {
          headers: { authorization: `Bearer ${secretOf(token)}` },
        });
        const failed = once(socket, 'unexpected-response').then(
          ([, response]: { readonly statusCode: number }[]) => response?.statusCode,
        );
        const status = await Promise.race([once(socket, 'open').then(() => 101), failed]);
        socket.on('error', () => undefined).terminate();
        return status;
      }),
    );
    expect(statuses).toEqual([101, 101, 401]);
  });

  it('are issued with a secret that is shown once, and are void after their removal', async () => {
    const issued = await request('admin', 'POST', '/api_tokens/robot/issue', {
      scope: 'operate',
      prefixes: ['studio'],
    });
    expect(issued.body).toMatchObject({ name: 'robot', token: expect.stringMatching(/^airdesk_[\w-]{43}$/) as string });
    const { body } = await request('admin', 'GET', '/api_tokens/robot');
    expect(body).toMatchObject({ name: 'robot', scope: 'operate', prefixes: ['studio'], last_used_at: null });
    expect(stage.configuration.config.apiTokens.get('robot')?.hash).toBe(
      hashOfToken((issued.body as { readonly token: string }).token),
    );
    expect((await request('admin', 'DELETE', '/api_tokens/robot')).status).toBe(204);
    expect(stage.configuration.config.apiTokens.has('robot')).toBe(false);
  });
});
