import { describe, expect, it } from 'vitest';
import type { ConfigEdit } from '../config/edit/edit-config.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import { disableStreams, recordStreams } from './stream-edits.ts';

const BY = { who: 'tester', fromWhere: 'desk' };

describe('streams disabled together', () => {
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

  it('are one change for running streams', async () => {
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

  it('are refused for streams of publishers', async () => {
    await expect(change(['a', 'live/x'], true)).rejects.toThrow('its publisher created it');
  });
});

describe('recording that is switched for several streams', () => {
  it('is switched for all, or for none if one has no archive', async () => {
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
