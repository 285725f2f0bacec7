import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NewConfigVersion } from './config-version.ts';
import { ConfigVersionReader } from './config-version-reader.ts';
import { ConfigVersionWriter } from './config-version-writer.ts';
import { migrate } from './database.ts';
import { TextSeal } from './text-seal.ts';

const seal = new TextSeal(new Uint8Array(32).fill(7));

let connection = new Sqlite(':memory:');
let reader: ConfigVersionReader;
let writer: ConfigVersionWriter;

beforeEach(() => {
  connection = new Sqlite(':memory:');
  connection.pragma('foreign_keys = ON');
  migrate(connection);
  reader = new ConfigVersionReader(connection, seal);
  writer = new ConfigVersionWriter(connection, seal, 5);
});

function version(change: Partial<NewConfigVersion> = {}): NewConfigVersion {
  return {
    parentId: null,
    atMs: 1000,
    who: 'admin',
    fromWhere: 'api',
    summary: 'http',
    changes: { kind: 'changed', streams: null, lives: null, templates: null, settings: ['http'], is_reordered: false },
    state: 'confirmed',
    confirmByMs: null,
    isOnDisk: true,
    ...change,
  };
}

function countTexts(): number {
  return (connection.prepare('SELECT count(*) AS n FROM config_text').get() as { n: number }).n;
}

describe('stored versions of the configuration', () => {
  it('are read unchanged, newest first', async () => {
    const text = 'http 8080; # ä\n'.repeat(5000);
    const first = await writer.add(version(), text);
    const second = await writer.add(
      version({ parentId: first, state: 'pending', confirmByMs: 5000, isOnDisk: false, summary: 'x', changes: null }),
      'rtmp 1935;',
    );
    expect(reader.get(first)).toEqual({ ...version(), id: first, length: text.length });
    expect(await reader.text(first)).toBe(text);
    expect(reader.list(10).map(({ id }) => id)).toEqual([second, first]);
    expect(reader.list(10, second).map(({ id }) => id)).toEqual([first]);
    expect(reader.newest()?.id).toBe(second);
    expect(reader.newestConfirmed()?.id).toBe(first);
    // The summary of an earlier release is unchanged.
    expect(reader.get(second)).toMatchObject({ summary: 'x', changes: null });
    expect(reader.get(99)).toBeUndefined();
    expect(await reader.text(99)).toBeUndefined();
  });

  it('are confirmed or rolled back after probation', async () => {
    const kept = await writer.add(version({ state: 'pending', confirmByMs: 5000 }), 'a;');
    const pendingId = await writer.add(version({ state: 'pending', confirmByMs: 5000 }), 'b;');
    writer.settle(kept, 'confirmed');
    writer.settle(pendingId, 'rolled_back');
    expect(reader.get(kept)).toMatchObject({ state: 'confirmed', confirmByMs: null });
    expect(reader.get(pendingId)).toMatchObject({ state: 'rolled_back', confirmByMs: null });
  });

  it('share the row of an equal text, which is deleted with the last version', async () => {
    const first = await writer.add(version(), 'a;');
    const second = await writer.add(version(), 'b;');
    await writer.add(version(), 'a;');
    expect(countTexts()).toBe(2);
    writer.remove(second);
    expect(countTexts()).toBe(1);
    writer.remove(first);
    expect(countTexts()).toBe(1);
    expect(reader.list(10)).toHaveLength(1);
  });

  it('are limited in number', async () => {
    for (let n = 1; n <= 9; n++) await writer.add(version({ atMs: n }), `${n};`);
    expect(reader.list(10).map(({ atMs }) => atMs)).toEqual([9, 8, 7, 6, 5]);
    expect(countTexts()).toBe(5);
  });

  it('contain no readable text without the key', async () => {
    const id = await writer.add(version(), 'edit_auth admin "only for us";');
    for (const row of connection.prepare('SELECT hash, gzip FROM config_text').all() as {
      hash: Buffer;
      gzip: Buffer;
    }[]) {
      expect(Buffer.concat([row.hash, row.gzip]).toString('latin1')).not.toContain('only for us');
      expect(() => gunzipSync(row.gzip)).toThrow();
    }
    const other = new ConfigVersionReader(connection, new TextSeal(new Uint8Array(32).fill(8)));
    await expect(other.text(id)).rejects.toMatchObject({ code: 'config_version_sealed' });
    expect(other.newest()?.id).toBe(id);
  });

  it('that are added at the same time are all stored', async () => {
    await Promise.all(Array.from({ length: 5 }, () => writer.add(version(), 'same;')));
    expect(reader.list(10)).toHaveLength(5);
    expect(countTexts()).toBe(1);
  });
});
