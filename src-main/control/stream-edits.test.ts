import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConfiguration } from '../../tests/helpers/configuration-changer.ts';
import { AirdeskError } from '../../src-preload/contract/index.ts';
import type { ConfigEdit } from '../config/edit/edit-config.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import type { Streams } from '../streams/streams.ts';
import { addRecording, addStream, disableStreams, recordStreams } from './stream-edits.ts';

const BY = { who: 'tester', fromWhere: 'desk' };

describe('disabling several streams', () => {
  const change = async (names: readonly string[], isDisabled: boolean) => {
    const edits: ConfigEdit[] = [];
    const configuration = {
      config: {
        streams: new Map([
          ['a', { isDisabled: false }],
          ['b', { isDisabled: true }],
        ]),
      },
      history: { get: () => ({ parentId: 3 }) },
      changes: {
        edit: (changes: readonly ConfigEdit[]) => {
          edits.push(...changes);
          return Promise.resolve({ versionId: 4 });
        },
      },
    } as unknown as Configuration;
    const version = await disableStreams(configuration, names, isDisabled, BY);
    return { version, edits };
  };

  it('is one change, without streams that are already in that state', async () => {
    const directive = { name: 'disabled', args: [] };
    expect(await change(['a', 'b', 'a'], true)).toEqual({
      version: 4,
      edits: [{ edit: 'setStreamDirective', block: 'stream', name: 'a', directive }],
    });
    expect(await change(['a', 'b'], false)).toEqual({
      version: 4,
      edits: [{ edit: 'removeStreamDirective', block: 'stream', name: 'b', directive: 'disabled' }],
    });
    expect(await change(['b'], true)).toEqual({ version: null, edits: [] });
  });

  it('is refused for published streams', async () => {
    await expect(change(['a', 'live/x'], true)).rejects.toThrow('its publisher created it');
  });
});

describe('switching the recording of several streams', () => {
  it('applies to all, or to none if one has no archive', async () => {
    const entry = (name: string, dvr: object | null): StreamEntry =>
      ({ name, settings: { dvr, dvrOffline: null } }) as unknown as StreamEntry;
    const all = new Map([entry('a', {}), entry('b', {}), entry('c', null)].map((one) => [one.name, one]));
    const switched: (readonly [string, boolean])[] = [];
    const record = (names: readonly string[], isOn: boolean): Promise<void> =>
      recordStreams(all, names, isOn, ({ name }, on) => switched.push([name, on]));
    await record(['a', 'b'], true);
    await expect(record(['a', 'c'], true)).rejects.toThrow('c has no archive');
    await expect(record(['gone'], false)).rejects.toThrow('There is no stream gone');
    await record(['c'], false);
    expect(switched).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
  });
});

describe('adding an archive to streams', () => {
  let folder = '';
  let close: () => void = () => undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'airdesk-record-'));
  });
  afterEach(async () => {
    close();
    await rm(folder, { recursive: true, force: true });
  });

  const path = (): string => join(folder, 'airdesk.conf');
  const published = { name: 'live/x', prefix: 'live', settings: { dvr: null, dvrOffline: null } };
  const streams = { get: (name: string) => (name === 'live/x' ? published : undefined) } as unknown as Streams;

  async function add(text: string, names: readonly string[], requireServer: () => void = () => undefined) {
    await writeFile(path(), text);
    const { configuration, database } = await openConfiguration(folder);
    close = () => {
      database.close();
    };
    const added = await addRecording(configuration, streams, names, BY, requireServer);
    return { added, configuration, text: await readFile(path(), 'utf8') };
  }

  it('is possible when adding a stream, in a chosen storage or in a new one', async () => {
    const make = async (text: string, storage: string): Promise<string> => {
      await writeFile(path(), text);
      const { configuration, database } = await openConfiguration(folder);
      close = () => {
        database.close();
      };
      const settings = [
        { directive: 'title', words: ['Camera 1'] },
        { directive: 'dvr', words: ['30d', `@${storage}`] },
        { directive: 'alarm', words: ['black'], options: { raise: '6s' } },
      ];
      const request = { name: 'cam1', input_url: 'fake://', settings };
      await addStream(configuration, request, BY, requireServer).finally(close);
      return readFile(path(), 'utf8');
    };
    let required = 0;
    const requireServer = (): void => void required++;
    const added = await make('http 80;\n', 'main');
    expect(added).toContain('dvr main {\n  root archive;\n}');
    expect(added).toMatch(
      /stream cam1 \{\s+input fake:\/\/;\s+title "Camera 1";\s+dvr 30d @main;\s+alarm black raise=6s;\s+\}/,
    );
    expect(required).toBe(1);
    const storages = 'dvr disks { root /a; }\ndvr slow { root /b; }\n';
    expect(await make(storages, 'slow')).toContain('dvr 30d @slow;');
    await expect(make(storages, 'none')).rejects.toThrow('There is no storage none');
    expect(required).toBe(1);
  });

  it('adds a storage if the configuration has none, and is undone as one change', async () => {
    const before = '# Cameras\nstream cam1 { input fake://; }\n';
    const { added, configuration, text } = await add(before, ['cam1']);
    expect(text).toBe('# Cameras\nstream cam1 { input fake://; dvr @main 7d; }\ndvr main {\n  root archive;\n}\n');
    expect(added).toMatchObject({ storage: 'main', days: 7 });
    await configuration.versions.undo(added.version ?? 0, BY);
    expect(await readFile(path(), 'utf8')).toBe(before);
  });

  it('uses the first storage, and skips streams with an archive', async () => {
    const { added, text } = await add(
      'dvr disks { root /a; }\ndvr main { root /b; }\nstream a { input fake://; dvr_offline @main 2d; }\nstream b { input fake://; }\n',
      ['a', 'b'],
      () => {
        throw new AirdeskError('forbidden', 'not needed');
      },
    );
    expect(added.storage).toBe('disks');
    expect(text).toContain(
      'stream a { input fake://; dvr_offline @main 2d; }\nstream b { input fake://; dvr @disks 7d; }',
    );
  });

  it('adds the archive of a published stream to its live prefix, which needs access to all streams', async () => {
    const text = 'dvr main { root /b; }\nlive live { password secret; }\n';
    expect((await add(text, ['live/x'])).text).toContain('live live { password secret; dvr @main 7d; }');
    close();
    const refused = add(text, ['live/x'], () => {
      throw new AirdeskError('forbidden', 'The login is limited');
    });
    await expect(refused).rejects.toThrow('The login is limited');
    expect(await readFile(path(), 'utf8')).toBe(text);
  });

  it('changes nothing for streams with an archive, and refuses unknown streams', async () => {
    const text = 'dvr main { root /b; }\nstream a { input fake://; dvr @main 2d; }\n';
    const { added } = await add(text, ['a']);
    expect(added.version).toBeNull();
    close();
    await expect(add(text, ['a', 'gone'])).rejects.toThrow('There is no stream gone');
  });
});
