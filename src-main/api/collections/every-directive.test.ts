import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { BLOCK_TABLES } from '../../config/schema/block-tables.ts';
import type { SettingTable } from '../../config/schema/directive.ts';
import { SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE } from '../../config/schema/stream-settings.ts';

interface Case {
  readonly path: string;
  readonly text: string;
  /** Whether the object has all directives. */
  readonly isComplete: boolean;
}

/** Objects with one directive each, for all examples of a table, and one object with all directives. */
function cases(
  table: SettingTable,
  path: string,
  head: (index: number) => string,
  key: (index: number) => string,
): Case[] {
  const examples = Object.values(table).map(({ example }) => example);
  return [...examples, examples.join(' ')].map((body, index) => ({
    isComplete: index === examples.length,
    path: `${path}/${encodeURIComponent(key(index))}`,
    text: `${head(index)} { ${body.replace(/prefix cams mobile/, `prefix p${index} q${index}`)} }`,
  }));
}

const CASES: readonly Case[] = [
  ...cases(
    SETTINGS_OF_STREAM,
    '/streams',
    (index) => `stream s${index}`,
    (index) => `s${index}`,
  ),
  ...cases(
    SETTINGS_OF_TEMPLATE,
    '/templates',
    (index) => `template t${index}`,
    (index) => `t${index}`,
  ),
  ...cases(
    BLOCK_TABLES.vod,
    '/vods',
    (index) => `vod v${index}`,
    (index) => `v${index}`,
  ),
  ...cases(
    BLOCK_TABLES.dvr,
    '/dvrs',
    (index) => `dvr d${index}`,
    (index) => `d${index}`,
  ),
  ...cases(
    BLOCK_TABLES.auth_backend,
    '/auth_backends',
    (index) => `auth_backend a${index}`,
    (index) => `a${index}`,
  ),
  ...cases(
    BLOCK_TABLES.event_sink,
    '/event_sinks',
    (index) => `event_sink e${index}`,
    (index) => `e${index}`,
  ),
  ...cases(
    BLOCK_TABLES.peer,
    '/cluster/peers',
    (index) => `peer p${index}.example.org`,
    (index) => `p${index}.example.org`,
  ),
  ...cases(
    BLOCK_TABLES.source,
    '/cluster/sources',
    (index) => `source s${index}.example.org`,
    (index) => `s${index}.example.org`,
  ),
];

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(
    `http 80;\ntemplate cameras { }\ndvr main { root /mnt/archive; }\nrproxy { ${Object.values(BLOCK_TABLES.rproxy)
      .map(({ example }) => example)
      .join(' ')} }\n${CASES.map(({ text }) => text).join('\n')}\n`,
  );
});
afterAll(() => stage.close());

describe('every directive of the configuration', () => {
  it('is returned according to the schema, alone and with all other directives', { timeout: 60_000 }, async () => {
    for (const { path } of CASES) expect([path, (await stage.request('GET', path)).status]).toEqual([path, 200]);
    for (const path of [
      '/streams',
      '/templates',
      '/vods',
      '/dvrs',
      '/auth_backends',
      '/event_sinks',
      '/cluster/peers',
      '/cluster/sources',
    ])
      expect((await stage.request('GET', `${path}?limit=1000`)).status).toBe(200);
    expect((await stage.request('GET', '/rproxy')).body).toMatchObject({
      streampoint_key: '********',
      forward_ports: ['2001=80'],
    });
  });

  it('is returned in a list as in a single object', { timeout: 60_000 }, async () => {
    // The objects of this test do not run, so nothing changes in between.
    const listed = (await stage.request('GET', '/streams?limit=1000')).body as {
      readonly streams: readonly { readonly name: string }[];
    };
    expect(listed.streams.length).toBeGreaterThan(20);
    for (const stream of listed.streams)
      expect(stream).toEqual((await stage.request('GET', `/streams/${stream.name}`)).body);
  });

  it('does not change when it is written back as returned', { timeout: 60_000 }, async () => {
    const before = stage.text;
    for (const { path, text, isComplete } of CASES) {
      if (!isComplete) continue;
      const { body } = await stage.request('GET', path);
      const { status, body: answer } = await stage.request('PUT', path, body);
      expect([text, status, status === 200 ? '' : answer]).toEqual([text, 200, '']);
      if (stage.text !== before)
        expect([text, stage.text.split('\n').filter((line) => !before.includes(line))]).toEqual([text, []]);
    }
    expect(stage.text).toBe(before);
  });

  it('is kept in an object that is created with any returned fields', { timeout: 60_000 }, async () => {
    const complete = CASES.filter(({ isComplete }) => isComplete);
    let count = 0;
    const make = async (path: string, fields: Fields): Promise<Fields> => {
      const address = `${path.slice(0, path.lastIndexOf('/'))}/made${count++}`;
      const { status, body } = await stage.request('PUT', address, fields);
      expect([fields, status, status === 200 ? '' : body]).toEqual([fields, 200, '']);
      return writable((await stage.request('GET', address)).body as Fields);
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...complete), fc.infiniteStream(fc.boolean()), async ({ path }, isChosen) => {
        const shown = writable((await stage.request('GET', path)).body as Fields);
        const chosen = Object.fromEntries(Object.entries(shown).filter(() => isChosen.next().value));
        expect(await make(path, chosen)).toEqual({ ...(await make(path, {})), ...chosen });
      }),
      { numRuns: 60 },
    );
  });
});

type Fields = Readonly<Record<string, unknown>>;

/** Fields that another object may have too: no state, key, secret or prefix, which is unique. */
function writable(object: Fields): Fields {
  const others = ['name', 'prefix', 'hostname', 'url', 'stats', 'effective', 'config_on_disk', 'named_by', 'prefixes'];
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const text = JSON.stringify(value, (field, part: unknown) => (field === 'stats' ? undefined : part));
      return others.includes(key) || text.includes('****') ? [] : [[key, JSON.parse(text) as unknown]];
    }),
  );
}
