import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from './access-policy.ts';
import type { Question } from './backend-question.ts';
import { Backends } from './backends.ts';

const QUESTION: Question = {
  name: 'cam',
  proto: 'hls',
  ip: '192.0.2.7',
  sessionId: 's',
  isNew: true,
  number: 0,
  streamClients: 0,
  totalClients: 0,
  token: 't',
  queryString: '',
  userAgent: '',
  referer: '',
  country: null,
  durationSeconds: 0,
  bytes: 0,
};

const folder = mkdtempSync(join(tmpdir(), 'airdesk-backends-'));
const requests: string[] = [];
let server: Server;
let backends: Backends;

/**
 * The paths `/allow`, `/deny`, `/move` and `/fail` answer accordingly, with any suffix after a hyphen; `/hang` never
 * answers.
 */
beforeAll(async () => {
  server = createServer((request, response) => {
    const requestPath = request.url?.split('?')[0] ?? '';
    requests.push(requestPath);
    const path = requestPath.split('-')[0] ?? '';
    if (path === '/hang') return;
    response.statusCode = { '/allow': 200, '/deny': 403, '/move': 302 }[path] ?? 500;
    if (path === '/move') response.setHeader('Location', '/other/index.m3u8');
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  writeFileSync(join(folder, 'yes.json'), '{"user_id":"u"}');
  backends = new Backends(undefined, { attemptMs: 10_000, attempts: 1, concurrency: 4, maxWaiting: 10 });
});
afterAll(() => {
  backends.close();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function backendOf(word: string): Backend {
  // The address of a listening TCP server is an object.
  const { port } = server.address() as AddressInfo;
  return {
    location:
      word === 'file'
        ? { kind: 'file', path: join(folder, 'yes.json') }
        : { kind: 'http', url: `http://127.0.0.1:${port}/${word}` },
    extra: {},
  };
}

async function verdictOf(words: string): Promise<string> {
  return (await backends.authorize({ backends: words.split(' ').map(backendOf) }, QUESTION)).kind;
}

describe('failing backends', () => {
  it('are listed with their first and last failure, at most 100', async () => {
    let nowMs = 1000;
    const own = new Backends(
      undefined,
      { attemptMs: 10_000, attempts: 1, concurrency: 4, maxWaiting: 10 },
      () => nowMs,
    );
    const { port } = server.address() as AddressInfo;
    const authorize = (path: string): Promise<unknown> =>
      own.authorize(
        {
          backends: [{ location: { kind: 'http', url: `http://me:secret@127.0.0.1:${port}${path}?key=s` }, extra: {} }],
        },
        QUESTION,
      );
    await authorize('/allow');
    expect(own.troubles).toEqual([]);
    await authorize('/fail-x');
    nowMs = 5000;
    await authorize('/fail-x');
    expect(own.troubles).toEqual([
      { location: `http://127.0.0.1:${port}/fail-x`, sinceMs: 1000, lastMs: 5000, reason: 'it answered 500' },
    ]);
    for (let index = 0; index < 150; index++) await authorize(`/fail-${index}`);
    expect(own.troubles).toHaveLength(100);
    own.close();
  });
});

describe('several backends', () => {
  it.each([
    ['deny allow', 'allow'],
    ['allow deny', 'allow'],
    ['fail allow', 'allow'],
    ['deny move', 'redirect'],
    ['deny file', 'allow'],
    ['deny fail', 'deny'],
    ['fail deny', 'deny'],
    ['deny deny', 'deny'],
    ['fail fail', 'failed'],
  ])('that answer %s result in %s', async (words, verdict) => {
    expect(await verdictOf(words)).toBe(verdict);
  });

  it('allow a viewer although another backend hangs', async () => {
    expect(await verdictOf('hang allow')).toBe('allow');
  });

  it('are all requested if none of them allows the viewer', async () => {
    expect(await verdictOf('deny-a fail-a deny-b')).toBe('deny');
    expect(requests).toEqual(expect.arrayContaining(['/deny-a', '/deny-b', '/fail-a']));
  });
});
