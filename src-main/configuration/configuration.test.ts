import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maskText } from '../config/edit/secret-words.ts';
import { runAtOnce } from '../lib/turns.ts';
import { CALLS } from '../../src-preload/contract/index.ts';
import { ConfigFile } from '../config/config-file.ts';
import type { Config } from '../config/schema/config.ts';
import { ConfigVersionReader } from '../db/config-version-reader.ts';
import { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { Database } from '../db/database.ts';
import { TextSeal } from '../db/text-seal.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { configCalls } from './configuration-calls.ts';
import { forCaller } from '../../tests/helpers/for-caller.ts';
import { Configuration } from './configuration.ts';
import { ConfigurationHistory } from './configuration-history.ts';
import { diffView, versionsView } from './configuration-view.ts';

const DEMO = 'http 8080;\nstream demo { input fake://; }\n';
const BY = { who: 'tester', fromWhere: 'api 192.0.2.1' };
const NONE = { added: [], removed: [], changed: [] };
const NO_CHANGE = { streams: NONE, livePrefixes: NONE, templates: NONE, globals: [], isReordered: false };
const DESK = { mayRead: true, mayWrite: true, who: 'desk', address: '' };

let folder = '';
let path = '';
let database: Database;
let clock: FakeClock;
let applied: Config[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airdesk-configuration-'));
  path = join(folder, 'airdesk.conf');
  clock = new FakeClock();
  database = Database.open(join(folder, 'airdesk.db'), { log: silentLog, now: () => clock.now() });
  applied = [];
});

afterEach(async () => {
  if (database.connection.open) database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a server with the files of the folder. */
function start(): Promise<Configuration> {
  const seal = TextSeal.ofFile(join(folder, 'airdesk.key'));
  const history = new ConfigurationHistory(
    {
      reader: new ConfigVersionReader(database.connection, seal),
      writer: new ConfigVersionWriter(database.connection, seal),
    },
    silentLog,
  );
  return Configuration.load({
    file: new ConfigFile(path),
    history,
    demoText: DEMO,
    apply: (config) => Promise.resolve(void applied.push(config)),
    clock,
    log: silentLog,
  });
}

const onDisk = (): Promise<string> => readFile(path, 'utf8');

const states = (configuration: Configuration): unknown[] =>
  configuration.history
    .list(100)
    .map(({ id, parentId, state, isOnDisk, fromWhere }) => [id, parentId, state, isOnDisk, fromWhere]);

describe('Configuration', () => {
  it('starts with the demo configuration, and records the author of each change', async () => {
    const configuration = await start();
    expect([configuration.isDemo, await onDisk()]).toEqual([true, DEMO]);
    const { versionId, change } = await configuration.changes.merge({ streams: { demo: { title: 'One' } } }, BY);
    expect(await onDisk()).toBe('http 8080;\nstream demo { input fake://; title One; }\n');
    expect(change.streams.changed).toEqual([{ name: 'demo', keys: ['title'], mustRestart: false }]);
    expect(configuration.history.get(versionId ?? 0)).toMatchObject({
      parentId: 1,
      who: 'tester',
      fromWhere: 'api 192.0.2.1',
      summary: 'streams: demo changed (title)',
      state: 'confirmed',
      isOnDisk: true,
    });
    expect(applied).toEqual([configuration.config]);
    const again = await start();
    expect(states(again)).toEqual(states(configuration));
    expect(again.versionId).toBe(versionId);
  });

  it('creates no version without a change', async () => {
    const configuration = await start();
    expect(await configuration.changes.merge({ streams: { demo: { title: null } } }, BY)).toMatchObject({
      versionId: 1,
      change: NO_CHANGE,
    });
    expect(states(configuration)).toHaveLength(1);
    expect(applied).toEqual([]);
  });

  it('records changes made while no server was running', async () => {
    await start();
    await writeFile(path, 'http 8081;\n');
    expect(states(await start())).toEqual([
      [2, 1, 'confirmed', true, 'start'],
      [1, null, 'confirmed', true, 'start'],
    ]);
  });

  it('refuses an invalid edit with its position, and changes nothing', async () => {
    const configuration = await start();
    await expect(configuration.changes.replace('http 80;\nstream a { input 5; }\n', BY)).rejects.toMatchObject({
      code: 'config_bad_value',
      errors: [{ line: 2, path: ['streams', 'a', 'inputs', 0, 'url'] }],
    });
    await expect(configuration.changes.merge({ streams: { a: { titel: 'x' } } }, BY)).rejects.toMatchObject({
      code: 'config_unknown_directive',
    });
    await expect(configuration.changes.putText('stream a {', BY)).rejects.toMatchObject({ code: 'config_syntax' });
    await expect(configuration.changes.putText('http 80;', BY)).rejects.toMatchObject({ code: 'config_bad_value' });
    expect([await onDisk(), applied, states(configuration).length]).toEqual([DEMO, [], 1]);
  });

  it('starts with the last valid version if the file has an error, and overwrites the file only on request', async () => {
    const first = await start();
    await first.changes.merge({ streams: { demo: { title: 'Good' } } }, BY);
    const good = await onDisk();
    await first.changes.merge({ streams: { demo: { title: 'Only in memory' } } }, BY, { isSaved: false });
    await writeFile(path, 'stream broken {\n');
    const configuration = await start();
    expect(configuration.error).toContain('line 2, column 1');
    expect(configuration.document.text).toBe(good);
    await expect(configuration.changes.merge({ streams: { demo: { title: 'B' } } }, BY)).rejects.toMatchObject({
      code: 'config_file_broken',
    });
    await configuration.changes.merge({ streams: { demo: { title: 'C' } } }, BY, { isSaved: false });
    expect([await onDisk(), configuration.isOnDisk]).toEqual(['stream broken {\n', false]);
    await configuration.changes.replace(good, BY, { overwritesFile: true });
    expect([await onDisk(), configuration.error, configuration.isOnDisk]).toEqual([good, null, true]);
    const [copy = ''] = (await readdir(folder)).filter((name) => name.startsWith('airdesk.conf.'));
    expect(await readFile(join(folder, copy), 'utf8')).toBe('stream broken {\n');
  });

  it('starts without streams and ports if neither the file nor a version is usable', async () => {
    await writeFile(path, Buffer.from([0x73, 0xff]));
    const configuration = await start();
    expect(configuration.error).toContain('UTF-8');
    expect([configuration.config.http, configuration.config.rtmp, configuration.config.streams.size]).toEqual([
      [],
      [],
      0,
    ]);
    expect(await readFile(path)).toEqual(Buffer.from([0x73, 0xff]));
  });

  it('reloads the file, and keeps the running configuration if the file has an error', async () => {
    const configuration = await start();
    await writeFile(path, 'http 8080;\nstream two { input fake://; }\n');
    await expect(configuration.changes.merge({ streams: { demo: { title: 'Mine' } } }, BY)).rejects.toMatchObject({
      code: 'config_file_changed',
    });
    const { change, versionId } = await configuration.changes.reload(BY);
    expect(change.streams).toMatchObject({ added: ['two'], removed: ['demo'] });
    await writeFile(path, 'stream two {');
    await expect(configuration.changes.reload(BY)).rejects.toMatchObject({ code: 'config_syntax' });
    expect([configuration.error !== null, [...configuration.config.streams.keys()]]).toEqual([true, ['two']]);
    await expect(configuration.changes.edit([{ edit: 'removeStream', name: 'two' }], BY)).rejects.toMatchObject({
      code: 'config_file_broken',
    });
    await writeFile(path, 'http 8080;\nstream two { input fake://; }\n');
    expect(await configuration.changes.reload(BY)).toMatchObject({ versionId, change: NO_CHANGE });
    expect([configuration.error, configuration.isOnDisk]).toEqual([null, true]);
  });

  it('keeps a change in memory until the next save', async () => {
    const configuration = await start();
    const text = DEMO.replace('demo', 'other');
    await configuration.changes.replace(text, BY, { isSaved: false });
    expect([await onDisk(), configuration.isOnDisk]).toEqual([DEMO, false]);
    await configuration.changes.replace(text, BY);
    expect([await onDisk(), configuration.isOnDisk]).toEqual([text, true]);
    expect(configuration.history.get(configuration.versionId ?? 0)).toMatchObject({
      summary: 'written to the file',
      isOnDisk: true,
    });
  });

  it('rolls back a change that is not confirmed in time', async () => {
    const configuration = await start();
    await configuration.changes.replace('http 8080;\n', BY, { confirmWithinMs: 60_000 });
    expect(configuration.pending).toEqual({ versionId: 2, confirmByMs: clock.now() + 60_000, by: BY });
    expect([await onDisk(), configuration.config.streams.size]).toEqual([DEMO, 0]);
    await expect(configuration.changes.reload(BY)).rejects.toMatchObject({ code: 'config_unconfirmed' });
    await expect(configuration.changes.merge({ loglevel: 'debug' }, BY)).rejects.toMatchObject({
      code: 'config_unconfirmed',
    });
    clock.advance(60_000);
    await expect(configuration.probation.confirm(BY)).rejects.toMatchObject({ code: 'config_not_pending' });
    expect([configuration.document.text, configuration.versionId, configuration.isOnDisk]).toEqual([DEMO, 1, true]);
    expect(states(configuration)[0]).toEqual([2, 1, 'rolled_back', true, 'api 192.0.2.1']);
    expect(applied.map(({ streams }) => streams.size)).toEqual([0, 1]);
  });

  it('keeps a change that is confirmed', async () => {
    const configuration = await start();
    await configuration.changes.replace('http 8080;\n', BY, { confirmWithinMs: 60_000 });
    await configuration.probation.confirm(BY);
    clock.advance(120_000);
    expect([await onDisk(), configuration.pending, configuration.isOnDisk]).toEqual(['http 8080;\n', null, true]);
    await expect(configuration.probation.rollback(BY)).rejects.toMatchObject({ code: 'config_not_pending' });
    expect((await start()).versionId).toBe(2);
  });

  it('rolls back an unconfirmed change at the next start', async () => {
    const configuration = await start();
    await configuration.changes.replace('http 8080;\n', BY, { confirmWithinMs: 60_000 });
    await configuration.close();
    const again = await start();
    expect([again.document.text, again.pending, again.versionId]).toEqual([DEMO, null, 1]);
    expect(states(again)[0]).toEqual([2, 1, 'rolled_back', true, 'api 192.0.2.1']);
  });

  it('restores a version, and returns differences without secrets', async () => {
    const configuration = await start();
    await configuration.changes.merge({ streams: { demo: { title: 'A', password: 'hush' } } }, BY);
    await configuration.changes.merge({ streams: { demo: { title: 'B' } } }, BY);
    const diff = await diffView(configuration, 1);
    expect(diff).toEqual({
      from: 1,
      to: 3,
      hunks: [
        {
          oldLine: 2,
          newLine: 2,
          removed: ['stream demo { input fake://; }'],
          added: [expect.stringContaining('password ********')],
        },
      ],
    });
    expect(JSON.stringify(versionsView(configuration, 10))).not.toContain('hush');
    expect(runAtOnce(maskText(await configuration.versions.document(3)))).not.toContain('hush');
    await configuration.versions.restore(2, BY);
    expect(await onDisk()).toContain('title A; password hush;');
    expect(versionsView(configuration, 2)).toMatchObject({
      versions: [{ id: 4, parent_id: 3, is_current: true }, { id: 3 }],
      next: 3,
    });
    await expect(configuration.versions.restore(99, BY)).rejects.toMatchObject({ code: 'config_version_not_found' });
  });

  it('accepts a masked text, and restores the existing secrets', async () => {
    const configuration = await start();
    await configuration.changes.merge({ streams: { demo: { password: 'hush' } } }, BY);
    await configuration.changes.replace(
      runAtOnce(maskText(configuration.document)).replace('fake://;', 'fake://; title T;'),
      BY,
    );
    expect(await onDisk()).toContain('title T; password hush;');
    await configuration.changes.putText('stream demo { input fake://; password ********; }', BY);
    expect(await onDisk()).toContain('stream demo { input fake://; password hush; }');
    await expect(
      configuration.changes.putText('stream new { input fake://; password ********; }', BY),
    ).rejects.toMatchObject({
      code: 'config_bad_value',
    });
  });

  it('can be changed while the database fails', async () => {
    const configuration = await start();
    database.close();
    expect(await configuration.changes.merge({ streams: { demo: { title: 'Still' } } }, BY)).toMatchObject({
      versionId: null,
    });
    expect(await onDisk()).toContain('title Still');
    await configuration.changes.merge({ streams: { demo: { title: 'Tried' } } }, BY, { confirmWithinMs: 1000 });
    clock.advance(1000);
    await expect(configuration.probation.confirm(BY)).rejects.toMatchObject({ code: 'config_not_pending' });
    expect(configuration.document.text).toContain('title Still');
  });

  it('is confirmed, rolled back, restored and reloaded by calls of the desk', async () => {
    const configuration = await start();
    const calls = forCaller(
      configCalls(configuration, () => undefined),
      DESK,
    );
    const idle = { error: null, version: 1, file_is_newer: false, is_saved: true, pending: null };
    expect(await calls['config.state']({})).toEqual(idle);
    await configuration.changes.replace('http 8080;\n', BY, { confirmWithinMs: 60_000 });
    expect(CALLS['config.state'].output.parse(await calls['config.state']({}))).toEqual({
      error: null,
      version: 2,
      file_is_newer: false,
      is_saved: false,
      pending: { version: 2, confirm_by: clock.now() + 60_000, who: 'tester', from_where: BY.fromWhere },
    });
    expect(await calls['config.rollback']({})).toEqual(idle);
    await configuration.changes.replace('http 8080;\n', BY, { confirmWithinMs: 60_000 });
    expect(await calls['config.confirm']({})).toEqual({ ...idle, version: 3 });
    expect(await calls['config.restore']({ id: 1 })).toEqual({ ...idle, version: 4 });
    const { versions, next } = CALLS['config.versions'].output.parse(await calls['config.versions']({ limit: 2 }));
    expect([versions.map(({ id, from_where: way }) => [id, way]), next]).toEqual([
      [
        [4, 'desk'],
        [3, BY.fromWhere],
      ],
      3,
    ]);
    await writeFile(path, 'http {');
    await expect(calls['config.reload']({})).rejects.toMatchObject({ code: 'config_syntax' });
    expect((await calls['config.state']({})).error).toContain('line 1');
  });

  it('executes changes in sequence', async () => {
    const configuration = await start();
    await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        configuration.changes.merge({ streams: { [`s${index}`]: { inputs: [{ url: 'fake://' }] } } }, BY),
      ),
    );
    expect([...configuration.config.streams.keys()]).toEqual(['demo', 's0', 's1', 's2', 's3', 's4']);
    expect(configuration.history.list(9).map(({ parentId }) => parentId)).toEqual([5, 4, 3, 2, 1, null]);
  });
});
