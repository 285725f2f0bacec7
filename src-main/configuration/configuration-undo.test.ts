import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { ConfigFile } from '../config/config-file.ts';
import { ConfigVersionReader } from '../db/config-version-reader.ts';
import { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { Database } from '../db/database.ts';
import { TextSeal } from '../db/text-seal.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { configCalls } from './configuration-calls.ts';
import { forCaller } from '../../tests/helpers/for-caller.ts';
import { FILE_CHECK_MS } from './file-watch.ts';
import { Configuration } from './configuration.ts';
import { ConfigurationHistory } from './configuration-history.ts';
import { removeStreams, undoVersion } from '../control/stream-edits.ts';
import type { Streams } from '../streams/streams.ts';

const BY = { who: 'tester', fromWhere: 'desk' };
const CALLER = { mayRead: true, mayWrite: true, who: 'tester', address: '' };
/**
 * One stream for each detail that a removal could damage: a fallback, a password in an address with options below a
 * comment, a publishing password.
 */
const TEXT = [
  'http 8080;',
  'stream fo { input udp://239.0.0.1:1234 priority=1; input fake:// priority=2; source_timeout 3; }',
  '# The gate, by the road',
  'stream gate { input rtsp://admin:pw@192.0.2.9/ch1 transport=udp; title "Gate"; segment_duration 4; }',
  'stream enc1 { input publish://; password s3cretpw; }',
  'stream last { input fake://; }',
  '',
].join('\n');

let folder = '';
let path = '';
let database: Database;
let clock: FakeClock;
let configuration: Configuration;
/** For each checked change, whether it returns to a version of the history. */
let checks: boolean[] = [];
const streams = { get: () => undefined } as unknown as Streams;

beforeEach(async () => {
  checks = [];
  folder = await mkdtemp(join(tmpdir(), 'airdesk-undo-'));
  path = join(folder, 'airdesk.conf');
  await writeFile(path, TEXT);
  clock = new FakeClock();
  database = Database.open(join(folder, 'airdesk.db'), { log: silentLog, now: () => clock.now() });
  const seal = TextSeal.ofFile(join(folder, 'airdesk.key'));
  const store = {
    reader: new ConfigVersionReader(database.connection, seal),
    writer: new ConfigVersionWriter(database.connection, seal),
  };
  configuration = await Configuration.load({
    file: new ConfigFile(path),
    history: new ConfigurationHistory(store, silentLog),
    demoText: '',
    apply: () => Promise.resolve(),
    check: async (_before, _after, _by, wasInForce) => {
      checks.push(wasInForce);
      return Promise.resolve();
    },
    clock,
    log: silentLog,
  });
});

afterEach(async () => {
  await configuration.close();
  if (database.connection.open) database.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the removal of a stream', () => {
  it.each(['fo', 'gate', 'enc1', 'last'])('%s is undone without any difference in the file', async (name) => {
    const version = undoVersion(configuration, await removeStreams(configuration, streams, [name], BY)) ?? 0;
    expect(configuration.config.streams.has(name)).toBe(false);
    await forCaller(
      configCalls(configuration, () => undefined),
      CALLER,
    )['config.undo']({ version });
    expect(await readFile(path, 'utf8')).toBe(TEXT);
    expect([...configuration.config.streams.keys()]).toEqual(['fo', 'gate', 'enc1', 'last']);
    // The check is informed that the version was in force before; any path is then allowed.
    expect(checks).toEqual([false, true]);
  });

  it('is not undone after a later change at the same position', async () => {
    const version = undoVersion(configuration, await removeStreams(configuration, streams, ['fo'], BY)) ?? 0;
    await configuration.changes.merge({ streams: { last: { title: 'Later' } } }, BY);
    await expect(configuration.versions.undo(version, BY)).rejects.toMatchObject({ code: 'config_changed_since' });
    expect(configuration.config.streams.get('last')?.title).toBe('Later');
  });

  it('cannot be undone without a history', async () => {
    database.close();
    expect(undoVersion(configuration, await removeStreams(configuration, streams, ['fo'], BY))).toBeNull();
  });
});

describe('an externally edited configuration file', () => {
  const state = () =>
    forCaller(
      configCalls(configuration, () => undefined),
      CALLER,
    )['config.state']({});
  /** Advances the time until the state has the expected `file_is_newer`. */
  const watched = (isNewer: boolean): Promise<unknown> =>
    until(
      'the state of the file',
      async () => {
        clock.advance(FILE_CHECK_MS);
        return (await state()).file_is_newer === isNewer;
      },
      30_000,
    );

  it('is detected, compared without secrets, and reloaded', async () => {
    expect((await state()).file_is_newer).toBe(false);
    await writeFile(path, TEXT.replace('title "Gate"', 'title "North gate"'));
    await watched(true);
    const { error, hunks } = await forCaller(
      configCalls(configuration, () => undefined),
      CALLER,
    )['config.compare_file']({});
    expect([error, hunks.map(({ oldLine, newLine }) => [oldLine, newLine])]).toEqual([null, [[4, 4]]]);
    expect(hunks[0]?.added[0]).toContain('North gate');
    expect(JSON.stringify(hunks)).not.toMatch(/:pw@|s3cretpw/);
    expect(
      await forCaller(
        configCalls(configuration, () => undefined),
        CALLER,
      )['config.reload']({}),
    ).toMatchObject({
      file_is_newer: false,
    });
    expect(configuration.config.streams.get('gate')?.title).toBe('North gate');
  });

  it('is compared and reloaded with warnings and their lines', async () => {
    await writeFile(path, `${TEXT}stream noted { input fake:// colour_of_noise=1; }\nlogo films { path s; }\n`);
    await watched(true);
    const calls = forCaller(
      configCalls(configuration, () => undefined),
      CALLER,
    );
    const sentence = ({ detail, explanation }: Explained): object => ({ message: detail, explanation });
    const warning = {
      code: 'config_not_effective',
      ...sentence(
        because('option_without_effect', {
          explanation: because('option_unknown', { name: 'input', option: 'colour_of_noise' }),
        }),
      ),
      line: TEXT.split('\n').length,
      column: 30,
    };
    const later = {
      code: 'config_not_effective',
      ...sentence(because('directive_no_effect', { name: 'logo' })),
      line: warning.line + 1,
      column: 1,
    };
    expect((await calls['config.compare_file']({})).warnings).toEqual([warning, later]);
    expect((await calls['config.reload']({})).warnings).toEqual([warning, later]);
    await writeFile(path, TEXT);
    expect(await calls['config.reload']({})).not.toHaveProperty('warnings');
  });

  it('is no longer reported after it is restored, nor after a save by the server', async () => {
    await writeFile(path, 'http {');
    await watched(true);
    const { error, hunks } = await forCaller(
      configCalls(configuration, () => undefined),
      CALLER,
    )['config.compare_file']({});
    expect([error?.includes('line 1'), hunks]).toEqual([true, []]);
    await writeFile(path, TEXT);
    await watched(false);
    await configuration.changes.merge({ streams: { last: { title: 'Ours' } } }, BY);
    clock.advance(FILE_CHECK_MS);
    expect((await state()).file_is_newer).toBe(false);
  });
});
