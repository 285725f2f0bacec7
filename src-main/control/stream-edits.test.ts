import { describe, expect, it } from 'vitest';
import type { ConfigEdit } from '../config/edit/edit-config.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import { addStream, disableStreams, recordStreams } from './stream-edits.ts';

const BY = { who: 'tester', fromWhere: 'desk' };

/** Adds a stream with this address to an empty configuration. Returns the result. */
async function written(url: string): Promise<unknown> {
  const edits: ConfigEdit[] = [];
  const configuration = {
    config: { streams: new Map() },
    changes: { edit: (made: readonly ConfigEdit[]) => Promise.resolve(void edits.push(...made)) },
  } as unknown as Configuration;
  const error: unknown = await addStream(configuration, { name: 'a', input_url: url }, BY).catch(
    (cause: unknown) => cause,
  );
  expect(edits.length).toBe(error === undefined ? 1 : 0);
  return error;
}

describe('an added stream', () => {
  it.each([
    'udp://239.0.0.1:1234',
    'rtp://@:5004',
    'rtp://239.0.0.1?sdp=x.sdp',
    'tshttp://192.0.2.9/live/mpegts',
    'hls://192.0.2.9/a.m3u8',
    'rtsp://192.0.2.9/ch1',
    'file:///media/a.mp4',
    'copy://b',
    'fake://',
    'publish://',
  ])('accepts %s', async (url) => {
    expect(await written(url)).toBeUndefined();
  });

  it.each([
    ['udp://239.0.0.1', 'bad_input_url'],
    ['udp://239.0.0.1:99999', 'bad_input_url'],
    ['rtp://239.0.0.1', 'bad_input_url'],
    ['copy://', 'bad_input_url'],
    ['copy://%', 'bad_input_url'],
    ['tshttp://', 'bad_input_url'],
    ['hls://', 'bad_input_url'],
    ['rtsp://', 'bad_input_url'],
    ['fake://?width=none', 'bad_input_url'],
    ['http://192.0.2.9/a', 'input_not_supported'],
    ['239.0.0.1:1234', 'bad_input_url'],
  ])('refuses %s before anything is written', async (url, code) => {
    expect(await written(url)).toMatchObject({ code });
  });
});

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
        edit: (made: readonly ConfigEdit[]) => {
          edits.push(...made);
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

  it('are none of publishers', async () => {
    await expect(change(['a', 'live/x'], true)).rejects.toThrow('its publisher made it');
  });
});

describe('recording that is switched for several', () => {
  it('is switched for all, or for none where one has no archive', async () => {
    const entry = (name: string, dvr: object | null): StreamEntry =>
      ({ name, settings: { dvr, dvrOffline: null } }) as unknown as StreamEntry;
    const all = new Map([entry('a', {}), entry('b', {}), entry('c', null)].map((one) => [one.name, one]));
    const switched: (readonly [string, boolean])[] = [];
    const record = (names: readonly string[], isOn: boolean): Promise<void> =>
      recordStreams(all, names, isOn, ({ name }, on) => switched.push([name, on]));
    await record(['a', 'b'], true);
    await expect(record(['a', 'c'], true)).rejects.toThrow('c has neither');
    await expect(record(['gone'], false)).rejects.toThrow('There is no stream gone');
    await record(['c'], false);
    expect(switched).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
  });
});
