import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PushStateObject } from '../../../src-preload/contract/api/push-object.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const KEYS = ['key-one-1111', 'key-two-2222', 'key-three-33'] as const;
const target = (key: string): string => `rtmp://192.0.2.9/live/${key}`;
const CONFIG = `http 80;
template t { push rtmp://192.0.2.8/live; }
live live { }
stream a {
  input publish://;
  push ${target(KEYS[0])};
  push ${target(KEYS[1])} tracks=v1a1 retry_limit=3;  # the second
  push ${target(KEYS[2])};
}
stream b { input publish://; }
stream inherits { template t; input publish://; }
`;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => stage.reset(CONFIG));
afterAll(() => stage.close());

interface Answer {
  readonly status: number;
  readonly body: {
    readonly error?: string;
    readonly errors?: readonly { readonly source?: { readonly pointer?: string } }[];
    readonly id: string;
    readonly pushes: readonly PushStateObject[];
  };
  readonly headers: Headers;
}

/** Sends a request. No answer may contain a key. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await stage.request(method, path, body, headers);
  for (const key of [...KEYS, 'key-new-4444']) expect(JSON.stringify(answer.body)).not.toContain(key);
  // The stage compares each answer with the document.
  return answer as Answer;
}
const list = async (name = 'a'): Promise<readonly PushStateObject[]> =>
  (await call('GET', `/streams/${name}/pushes`)).body.pushes;
const idAt = async (index: number, name = 'a'): Promise<string> => (await list(name))[index]?.id ?? '';
const code = ({ status, body }: Answer): unknown =>
  [status, body.error, body.errors?.[0]?.source?.pointer].filter((one) => one !== undefined);
/** Keys of the pushes of a stream, as the configuration has them. */
const keysOf = (name = 'a'): string[] =>
  (stage.configuration.config.streams.get(name)?.pushes ?? []).map(({ url }) => url.replace(/^.*\//, ''));

describe('pushes over HTTP', () => {
  it('have ids that do not reveal the key and stay the same while the address does', async () => {
    const [first, second, third] = await list();
    expect(new Set([first?.id, second?.id, third?.id]).size).toBe(3);
    expect(first?.id).toMatch(/^[\w-]{16}$/);
    await call('PUT', '/streams/a', { title: 'Other' });
    expect((await list()).map(({ id }) => id)).toEqual([first?.id, second?.id, third?.id]);
    // Another stream with the same target has another id.
    await call('POST', '/streams/b/pushes', { url: target(KEYS[0]) });
    expect(await idAt(0, 'b')).not.toBe(first?.id);
  });

  it.each([
    'rtmp:/live/key-new-4444',
    'rtmp://192.0.2.9 /live/key-new-4444',
    'rtmp//live/key-new-4444',
    'udp://h/key-new-4444',
  ])('do not repeat the key of the address %s in a refusal of the stream or the push', async (url) => {
    const pushes = [{ url: target(KEYS[0]) }, { url }];
    expect((await call('PUT', '/streams/a', { pushes })).status).toBe(400);
    expect((await call('PUT', '/streams/new', { inputs: [{ url: 'publish://' }], pushes })).status).toBe(400);
    expect((await call('POST', '/streams/a/pushes', { url })).status).toBe(400);
    expect((await call('PUT', `/streams/a/pushes/${await idAt(0)}`, { url })).status).toBe(400);
  });

  it('are added, with a Location, and start without a restart of the stream', async () => {
    const added = await call('POST', '/streams/a/pushes', { url: target('key-new-4444'), retry_timeout: 10 });
    expect([added.status, added.headers.get('location')]).toEqual([
      201,
      `/mediaserver/api/v3/streams/a/pushes/${added.body.id}`,
    ]);
    expect(await idAt(3)).toBe(added.body.id);
    expect(stage.text).toContain(`push ${target('key-new-4444')} retry_timeout=10`);
    expect(await call('POST', '/streams/b/pushes', { url: target(KEYS[0]), tracks: 'v1a1' })).toMatchObject({
      status: 201,
    });
    expect(stage.text).toContain(`push ${target(KEYS[0])} tracks=v1a1;`);
  });

  it('are removed by id, also if other targets differ only in the key', async () => {
    const id = await idAt(0);
    expect(code(await call('DELETE', `/streams/a/pushes/${id}`))).toEqual([200]);
    expect(keysOf()).toEqual([KEYS[1], KEYS[2]]);
    expect(stage.text).toContain('tracks=v1a1 retry_limit=3;  # the second');
    // A repeated request removes nothing else.
    expect(code(await call('DELETE', `/streams/a/pushes/${id}`))).toEqual([404, 'push_not_found']);
    expect(keysOf()).toEqual([KEYS[1], KEYS[2]]);
  });

  it('are removed by two callers at the same time, each the one that it named', async () => {
    const [first, , third] = await list();
    const removed = await Promise.all(
      [first, third, first].map((push) => call('DELETE', `/streams/a/pushes/${push?.id}`)),
    );
    expect(removed.map(({ status }) => status).sort()).toEqual([200, 200, 404]);
    expect(keysOf()).toEqual([KEYS[1]]);
    expect(code(await call('DELETE', `/streams/a/pushes/${await idAt(0)}`))).toEqual([200]);
    expect(stage.text).not.toContain('push rtmp://192.0.2.9');
  });

  it('are switched off and on, and keep their other settings', async () => {
    const id = await idAt(1);
    const off = await call('PUT', `/streams/a/pushes/${id}`, { disabled: true });
    expect(off).toMatchObject({ status: 200, body: { id } });
    expect(stage.text).toContain(`push ${target(KEYS[1])} tracks=v1a1 retry_limit=3 disabled=true;  # the second`);
    await call('PUT', `/streams/a/pushes/${id}`, { disabled: null, retry_limit: null });
    expect(stage.text).toContain(`push ${target(KEYS[1])} tracks=v1a1;  # the second`);
    const same = await call('PUT', `/streams/a/pushes/${id}`, { disabled: null });
    expect(same).toMatchObject({ status: 200, body: { id, version: null } });
  });

  it('get another id with another address or other tracks', async () => {
    const id = await idAt(0);
    const moved = await call('PUT', `/streams/a/pushes/${id}`, { url: target('key-new-4444') });
    expect(moved.body.id).not.toBe(id);
    expect(await idAt(0)).toBe(moved.body.id);
    expect(keysOf()[0]).toBe('key-new-4444');
    expect(code(await call('PUT', `/streams/a/pushes/${id}`, { disabled: true }))).toEqual([404, 'push_not_found']);
  });

  it('are sent once to each target', async () => {
    expect(code(await call('POST', '/streams/a/pushes', { url: target(KEYS[0]) }))).toEqual([
      409,
      'push_exists',
      '/url',
    ]);
    const id = await idAt(0);
    expect(code(await call('PUT', `/streams/a/pushes/${id}`, { url: target(KEYS[2]) }))).toEqual([
      409,
      'push_exists',
      '/url',
    ]);
    expect(keysOf()).toEqual([...KEYS]);
    const headers = { 'idempotency-key': randomUUID() };
    const [one, two] = [
      await call('POST', '/streams/b/pushes', { url: target(KEYS[0]) }, headers),
      await call('POST', '/streams/b/pushes', { url: target(KEYS[0]) }, headers),
    ];
    expect([one.status, two.status, two.body.id === one.body.id]).toEqual([201, 201, true]);
    expect(keysOf('b')).toEqual([KEYS[0]]);
  });

  it('are refused with the field that is wrong, without its value', async () => {
    for (const [body, ...expected] of [
      [{ url: `rtmp://192.0.2.9?${KEYS[0]}` }, 400, 'config_bad_value', '/url'],
      [{ url: `file:///${KEYS[0]}` }, 400, 'config_bad_value', '/url'],
      [{ url: 'rtmp://192.0.2.9/live/********' }, 400, 'config_bad_value'],
      [{ url: target('key-new-4444'), tracks: 'x' }, 400, 'config_bad_value', '/tracks'],
      [{ url: target('key-new-4444'), no_such: 1 }, 400, 'unknown_key', '/no_such'],
      [{ url: target('key-new-4444'), $index: 0, $delete: true }, 201],
      [{}, 400, 'bad_value', '/url'],
      [{ url: 'x'.repeat(5000) }, 400, 'bad_value', '/url'],
    ] as const)
      expect([body, code(await call('POST', '/streams/a/pushes', body))]).toEqual([body, expected]);
    expect(keysOf()).toEqual([...KEYS, 'key-new-4444']);
  });

  it('of a template are not changed for one of its streams', async () => {
    const id = await idAt(0, 'inherits');
    expect(code(await call('DELETE', `/streams/inherits/pushes/${id}`))).toEqual([409, 'push_inherited']);
    expect(code(await call('POST', '/streams/inherits/pushes', { url: target(KEYS[0]) }))).toEqual([
      409,
      'push_inherited',
    ]);
    expect(code(await call('POST', '/streams/none/pushes', { url: target(KEYS[0]) }))).toEqual([
      404,
      'stream_not_found',
    ]);
  });

  it('of a published stream add the stream to the configuration, and keep its publisher', async () => {
    const request = { protocol: 'rtmp', path: 'live/cam', query: new Map(), peer: '192.0.2.7:4000' } as const;
    expect(await stage.streams.publishing.decide(request, () => undefined)).toMatchObject({ accepted: true });
    expect(await call('POST', '/streams/live%2Fcam/pushes', { url: target(KEYS[0]) })).toMatchObject({ status: 201 });
    expect(stage.text).toMatch(/stream live\/cam \{\s*template live;\s*push rtmp:/);
    expect(stage.streams.get('live/cam')?.isPublished).toBe(true);
  });
});
