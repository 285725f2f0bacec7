import fastify from 'fastify';
import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { EventEmitter } from '../../control/system/event-services.ts';
import { Operators } from '../../operators/operators.ts';
import { addAccessHook } from './access-hook.ts';
import { auditRequests } from './audit-hook.ts';
import { addEndpoints } from '../endpoints/add-endpoints.ts';
import { authorizeCaller } from '../endpoints/authorize.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

it('the audit hook records the operation of a change and the name that its object had before', async () => {
  const names = new Map([['c1', 'Storm at sea']]);
  const emitted: object[] = [];
  const app = fastify();
  const settings = {
    viewAuth: null,
    editAuth: null,
    apiAuth: null,
    apiTokens: new Map(),
    trustedProxies: [],
    serverNames: [],
    apiOrigins: [],
    wallOrigins: [],
  };
  const access = new Operators({ settings, clock: new FakeClock(), hostname: 'test', notify: () => undefined });
  addAccessHook(app, access);
  const events = { emit: (_: string, facts: object) => emitted.push(facts) } as unknown as EventEmitter;
  auditRequests(app, events, (operation, input) => {
    const target = names.get(String(Reflect.get(input, 'id'))) ?? null;
    return Promise.resolve({ target, parent: operation, kind: null });
  });
  const remove: Endpoint = {
    id: 'case_delete',
    method: 'DELETE',
    path: '/cases/{id}',
    access: 'edit',
    replies: {},
    tag: 'test',
    summary: 'a test',
    handle: ({ params }) => ({ status: names.delete(params['id'] ?? '') ? 204 : 404 }),
  };
  await addEndpoints(app, [{ prefixes: ['/api'], endpoints: [remove] }], authorizeCaller);
  await app.inject({ method: 'DELETE', url: '/api/cases/c1?x=1' });
  expect((await app.inject({ method: 'DELETE', url: '/api/cases/c1' })).statusCode).toBe(204);
  const subject = { operation: 'case_delete', target: 'Storm at sea', parent: 'case_delete', status: 204 };
  expect(emitted).toMatchObject([
    { path: '/api/cases/c1', operation: null, target: null },
    { path: '/api/cases/c1', ...subject },
  ]);
  await app.close();
});
