import { expect, it } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { EndpointTree } from './endpoint-tree.ts';

const ENDPOINT = {
  replies: {},
  tag: 'test',
  summary: 'a test',
  access: 'view',
  handle: () => ({ status: 204 }),
} as const;

function endpoint(path: string, method: Endpoint['method'] = 'GET'): Endpoint {
  return { ...ENDPOINT, method, path, id: `${method} ${path}` };
}

const PATHS = ['/a', '/a/b', '/a/{name}', '/a/{name}/c', '/a/b/d', '/a/{+rest}', '/{kind}/{name}/{number}'];
const TREE = new EndpointTree([
  { prefixes: ['/one', '/one/two'], endpoints: [...PATHS.map((path) => endpoint(path)), endpoint('/a/b', 'PUT')] },
  { prefixes: ['/one'], endpoints: [endpoint('/public')], isPublic: true },
]);

it.each<[url: string, ids: readonly string[], params: Readonly<Record<string, string>>]>([
  ['/one/a', ['GET /a'], {}],
  ['/one/two/a?b=/c', ['GET /a'], {}],
  ['/one/a/b#c', ['GET /a/b', 'PUT /a/b'], {}],
  ['/one/%61/b', ['GET /a/b', 'PUT /a/b'], {}],
  // A literal segment takes precedence, even if the rest of the path matches only after a parameter.
  ['/one/a/b/c', ['GET /a/{name}/c'], { name: 'b' }],
  ['/one/a/b/d', ['GET /a/b/d'], {}],
  ['/one/a/b/e', ['GET /a/{+rest}'], { rest: 'b/e' }],
  ['/one/a/x%2Fy%25%C3%A9', ['GET /a/{name}'], { name: 'x/y%é' }],
  ['/one/a/x%2Fy/z/', ['GET /a/{+rest}'], { rest: 'x/y/z/' }],
  ['/one/a/', ['GET /a/{name}'], { name: '' }],
  ['/one/k/n/1', ['GET /{kind}/{name}/{number}'], { kind: 'k', name: 'n', number: '1' }],
  // This name is longer than any real one.
  [`/one/k/${'n'.repeat(2000)}/1`, ['GET /{kind}/{name}/{number}'], { kind: 'k', name: 'n'.repeat(2000), number: '1' }],
  [`/one/a/${'n'.repeat(2001)}`, ['GET /a/{+rest}'], { rest: 'n'.repeat(2001) }],
])('EndpointTree finds the endpoints of %s', (url, ids, params) => {
  const found = TREE.find(url);
  expect([found?.endpoints.map(({ id }) => id), found?.params]).toEqual([ids, params]);
});

it.each([
  '',
  '/',
  '/one',
  '/one/',
  '/one/b',
  '/two/a',
  '/one/a%',
  '/one/%ff',
  `/one/k/${'n'.repeat(2001)}/1`,
  'http://a/one/a',
])('EndpointTree finds no endpoints for %j', (url) => {
  expect(TREE.find(url)).toBeUndefined();
});

it('EndpointTree knows the addresses that are open to pages of all origins', () => {
  expect([TREE.find('/one/public')?.isPublic, TREE.find('/one/a')?.isPublic]).toEqual([true, false]);
});

it('EndpointTree refuses duplicate endpoints', () => {
  const api = { prefixes: ['/one'], endpoints: [endpoint('/a/{name}')] };
  expect(() => new EndpointTree([api, api])).toThrow('GET /one/a/{name} is served twice');
});
