import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE } from '../../config/schema/stream-settings.ts';
import { jsonName } from '../../config/schema/table.ts';
import { COLLECTION_PREFIXES } from '../http/prefixes.ts';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RELEASED_API_FILE } from '../../../scripts/accept-api.ts';
import { breakingChanges, describeBreak, type ApiDocument } from '../../../tests/helpers/api-breaks.ts';
import { OPERATIONS_FILE, printOperations } from '../../../tests/helpers/api-operations.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { undescribed } from '../../../tests/helpers/undescribed.ts';
import { randomRequests, type RequestDocument } from '../../../tests/helpers/random-requests.ts';

/** Number of random requests. The default fits the time of the complete test run. */
const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 150);

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(`http 80;
template cams { prefix cams; segment_duration 4; labels site=north; }
stream a { template cams; input udp://239.0.0.1:1234 priority=3; title "The gate"; }
stream b { input publish://; provider city; }
stream live/c { input fake://; input rtsp://user:word@192.0.2.9/main; }
vod clips { storage /srv/clips; }
dvr main { root /mnt/archive; disk volume1; }
auth_backend gate { backend http://127.0.0.1:3000/auth; }
`);
  stage.feed();
});
afterAll(() => stage.close());

describe('the OpenAPI document', () => {
  it('has the operations and fields of the stored list (update it with --update)', async () => {
    await expect(printOperations(stage.document as ApiDocument)).toMatchFileSnapshot(OPERATIONS_FILE);
  });

  it('is compatible with the last release (CONTRIBUTING.md describes intended breaks)', () => {
    const released = JSON.parse(readFileSync(RELEASED_API_FILE, 'utf8')) as ApiDocument;
    expect(Object.keys(released['paths'] ?? {}).length).toBeGreaterThan(50);
    expect(breakingChanges(released, stage.document as ApiDocument).map(describeBreak)).toEqual([]);
  });

  it('is serialized once, and sent from memory with an ETag', async () => {
    const get = async (headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(`${stage.url}/mediaserver/api/v3/schema`, { headers });
    const first = await get();
    const etag = first.headers.get('etag') ?? '';
    const text = await first.text();
    const printed = vi.spyOn(JSON, 'stringify');
    const second = await get({ 'accept-encoding': 'identity' });
    const largest = Math.max(0, ...printed.mock.results.map(({ value }) => String(value).length));
    printed.mockRestore();
    expect((await second.text()) === text).toBe(true);
    expect(largest).toBeLessThan(10_000);
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
  });

  it('has OpenAPI 3.1, unique operations, and a schema for every reference', () => {
    const document = stage.document as RequestDocument & { readonly openapi: string };
    const text = JSON.stringify(document);
    expect(document.openapi).toBe('3.1.0');
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(30);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const missing = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].filter(
      ([, name]) => !Object.hasOwn(document.components.schemas, name ?? ''),
    );
    expect(missing).toEqual([]);
    expect(text).toContain('"x-private":true');
    expect(text).toContain('"deprecated":true,"x-delete-at":"2.0.0"');
  });

  it('has patterns without features specific to JavaScript, and a pattern that accepts exactly the valid stream names', () => {
    const patterns = new Set(
      [...JSON.stringify(stage.document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
        ([, text = '']) => JSON.parse(text) as string,
      ),
    );
    expect([...patterns].filter((pattern) => /\\[pPk]|\(\?[^:]/.test(pattern))).toEqual([]);
    const [name] = [...patterns].filter((pattern) => pattern.includes('(\\/['));
    const isName = (text: string): boolean => new RegExp(name ?? '').test(text);
    expect(
      ['cam1', 'live/cam 1', 'živě/馬-1', 'a/_b+c@d~e.f', '.a', 'a//b', '/a', 'a?', 'a[', 'a^b', 'a{', 'a\\b'].map(
        isName,
      ),
    ).toEqual([true, false, true, true, false, false, false, false, false, false, false, false]);
  });

  it('marks exactly the settings without effect', () => {
    const { components } = stage.document as {
      components: { schemas: { stream: { properties: Record<string, { description?: string }> } } };
    };
    const { properties } = components.schemas.stream;
    const settings = Object.values({ ...SETTINGS_OF_TEMPLATE, ...SETTINGS_OF_STREAM });
    const wrong = settings.flatMap((setting) => {
      const text = properties[jsonName(setting)]?.description;
      const hasNoEffect = text?.endsWith('; no effect in this version') === true;
      return !hasNoEffect || setting.isReserved === true ? [] : [jsonName(setting)];
    });
    expect(wrong).toEqual([]);
  });

  it('describes every public operation, parameter, answer and property', () => {
    expect(undescribed(stage.document)).toEqual([]);
    expect(
      undescribed({
        paths: { '/a': { get: { description: 'it', parameters: [{ name: 'p' }], responses: { 200: {} } }, put: {} } },
        components: {
          schemas: {
            s: {
              properties: {
                a: {},
                b: { 'x-private': true },
                c: { description: 'it', items: { properties: { d: {} } } },
              },
            },
          },
        },
      }),
    ).toEqual(['s.a', 's.c.d', 'get /a parameter p', 'get /a 200', 'put /a']);
  });

  it('gives each path its base address', () => {
    interface Based {
      readonly servers?: readonly { readonly url: string; readonly description?: string }[];
      readonly get?: { readonly tags: readonly string[] };
    }
    const { servers = [], paths } = stage.document as Based & { readonly paths: Readonly<Record<string, Based>> };
    expect(servers.map(({ url }) => url)).toEqual(COLLECTION_PREFIXES);
    const played = Object.values(paths).filter(({ get }) => get?.tags.includes('playback'));
    expect(played.length).toBeGreaterThan(5);
    for (const { servers: pathServers = [] } of played) {
      expect(pathServers.map(({ url }) => url)).toEqual(['/']);
      expect(pathServers[0]?.description).toContain('ports');
    }
    for (const one of [servers, ...Object.values(paths).map(({ servers: pathServers = [] }) => pathServers)].flat())
      expect(one.description).toBeTruthy();
  });

  it('has examples that match its schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(stage.document as object, 'document');
    const examples = examplesIn(stage.document, '');
    expect(examples.length).toBeGreaterThan(15);
    const wrong = examples.filter(({ pointer, example }) => {
      const validate = ajv.compile({ $ref: `document#${encodeURI(pointer)}/schema` });
      return !validate(example);
    });
    expect(wrong).toEqual([]);
  });

  it('lists the errors of an operation by their status', () => {
    const { paths } = stage.document as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    const errors = (path: string, method: string): string[] =>
      Object.keys(paths[path]?.[method]?.responses ?? {}).filter((status) => Number(status) >= 400);
    expect(errors('/streams', 'get')).toEqual(['400', '401', '403', '429', '503']);
    expect(errors('/streams/{name}', 'put')).toEqual([
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '413',
      '415',
      '429',
      '503',
      '507',
    ]);
    expect(errors('/monitoring/liveness', 'get')).toEqual(['400', '503']);
    expect(paths['/streams']?.['get']?.responses['400']).toEqual({ $ref: '#/components/responses/error_400' });
  });

  it('has operations that refuse every unknown parameter before they do anything', async () => {
    const version = stage.configuration.versionId;
    const { paths } = stage.document as { paths: Record<string, Record<string, { tags?: readonly string[] }>> };
    // Players may add any parameter to addresses of media and of lists for players.
    const listed = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { tags = [] }]) =>
        method === 'servers' || path.startsWith('/{name}') || tags.includes('player') || tags.includes('server')
          ? []
          : [{ method, path }],
      ),
    );
    expect(listed.length).toBeGreaterThan(200);
    const passed: string[] = [];
    for (const { method, path } of listed) {
      const body = method === 'get' ? undefined : '{}';
      const { status } = await stage.request(
        method.toUpperCase(),
        `${path.replaceAll(/\{\w+\}/g, 'a')}?Validate=true`,
        body,
      );
      // Lists check that their object exists before their filters.
      if (method === 'get' ? status < 400 : status !== 400) passed.push(`${method} ${path}: ${status}`);
    }
    expect(passed).toEqual([]);
    expect(stage.configuration.versionId).toBe(version);
  });

  it(
    'describes every answer to random requests, none of which causes a server error',
    { timeout: 120_000 },
    async () => {
      const document = stage.document as RequestDocument;
      await fc.assert(
        fc.asyncProperty(randomRequests(document), async ({ method, path, body, headers }) => {
          const { status } = await stage.request(method, path, method === 'GET' ? undefined : body, headers);
          expect(stage.faults).toEqual([]);
          expect(status).toBeLessThan(504);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
  );
});

interface Example {
  readonly pointer: string;
  readonly example: unknown;
}

/** Examples of a document with their schemas. */
function examplesIn(value: unknown, pointer: string): Example[] {
  if (typeof value !== 'object' || value === null) return [];
  const { schema, example } = value as { readonly schema?: unknown; readonly example?: unknown };
  if (schema !== undefined && example !== undefined) return [{ pointer, example }];
  return Object.entries(value).flatMap(([key, part]) =>
    examplesIn(part, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}
