import { describe, expect, it } from 'vitest';
import type { ConfigEdit } from '../config/edit/edit-config.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { addStream } from './stream-edits.ts';

const BY = { who: 'tester', fromWhere: 'desk' };

/** Adds a stream with this address to a configuration without streams; gives what was written. */
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

describe('a stream that is added', () => {
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
  ])('takes %s', async (url) => {
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
