import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyCharacter } from '../../../tests/helpers/any-character.ts';
import { ApiStage } from '../../../tests/helpers/api-stage.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { nativeApi } from '../native/native-api.ts';
import type { NativeContext } from '../native/native-context.ts';
import { playerApi } from '../player/player-api.ts';
import { legacyApi } from './legacy-api.ts';

/** Number of random requests. Set the variable to test longer. */
const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 300);
const CONFIG =
  'stream cam { input fake://; input rtsp://user:hidden@192.0.2.9/a; password hidden; } stream a/b { input publish://; dvr /x 1d; } vod clips { storage /tmp; storage s3://x; } peer x { cluster_key hidden; api_url http://user:hidden@192.0.2.3:9/; }';

let stage: ApiStage;
beforeAll(async () => {
  stage = await ApiStage.start(CONFIG, together, '/tmp');
  stage.feed();
});
afterAll(() => stage.close());

/** All endpoints under one prefix; those of the player API have other paths, to avoid duplicates. */
function together(context: NativeContext): Api {
  const viewers = { playable: () => Promise.resolve(new Set<string>()) };
  const player = playerApi(context, viewers).endpoints.map((endpoint) => ({ ...endpoint, path: `/-${endpoint.path}` }));
  return { prefixes: ['/x'], endpoints: [...legacyApi(context).endpoints, ...nativeApi(context).endpoints, ...player] };
}

const word = fc.oneof(
  fc.constantFrom(
    'cam',
    'a/b',
    'a%2Fb',
    'clips',
    '/tmp',
    '/',
    '..',
    '2026',
    '11',
    '',
    '0',
    '-1',
    's3://x',
    'null',
    '*',
    '%',
    '\0',
    '😀',
  ),
  fc.string({ maxLength: 20, unit: anyCharacter }),
);
const key = fc.oneof(
  fc.constantFrom(
    'name',
    'url',
    'prefix',
    'path',
    'subpath',
    'from',
    'limit',
    'sort',
    'cursor',
    'select',
    'q',
    'format',
  ),
  word,
);
const anyRequest = fc.record({
  endpoint: fc.nat(),
  method: fc.constantFrom(undefined, undefined, 'GET', 'POST', 'DELETE', 'PUT', 'HEAD'),
  words: fc.tuple(word, word, word, word),
  query: fc.array(fc.tuple(key, word), { maxLength: 4 }),
  body: fc.option(fc.oneof(word, fc.json())),
  type: fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x'),
});

function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ff';
}

it('a random request to the APIs causes no server error and reveals no secret', { timeout: 120_000 }, async () => {
  const { endpoints } = together(stage.context);
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ endpoint, method, words, query, body, type }) => {
      const row = endpoints[endpoint % endpoints.length]!;
      const rest = [...words];
      const path = row.path.replace(/\{\+?\w+\}/g, () => encoded(rest.shift() ?? ''));
      const queryText =
        query.length > 0 ? `?${query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')}` : '';
      const verb = method ?? row.method;
      const hasBody = verb !== 'GET' && verb !== 'HEAD' && body !== null;
      const answer = await fetch(`${stage.url}/x${path}${queryText}`, {
        method: verb,
        ...(hasBody ? { body, headers: { 'content-type': type } } : {}),
      });
      const text = await answer.text();
      expect([answer.status < 500, text.includes('hidden')]).toEqual([true, false]);
      if (answer.status >= 400 && verb !== 'HEAD')
        expect(JSON.parse(text)).toMatchObject({
          error: expect.any(String) as string,
          errors: [{ status: String(answer.status) }],
        });
    }),
    { numRuns: RUNS },
  );
});
