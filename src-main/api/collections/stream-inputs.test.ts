import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addStream } from '../../control/stream-edits.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = `http 80;
template t { input m4f://192.0.2.9/a; }
stream old { input m4f://192.0.2.9/a; input udp://239.0.0.1:1; }
`;
const LEGACY = '/mediaserver/api';

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => stage.reset(CONFIG));
afterAll(() => stage.close());

/** Code of a refusal. Undefined for a success. */
async function code(method: string, path: string, body: unknown, type = 'application/json'): Promise<unknown> {
  const reply = await stage.request(method, path, body, { 'content-type': type });
  return reply.status < 300 ? undefined : (reply.body as { readonly error: unknown }).error;
}

/** Every way to write an input of a stream. */
const WAYS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'the bridge': (url) => {
    const by = { who: 'tester', fromWhere: 'desk' };
    return addStream(stage.configuration, { name: 'a', input_url: url }, by).catch((error: unknown) =>
      error instanceof AirdeskError ? error.code : error,
    );
  },
  POST: (url) => code('POST', '/streams', { name: 'a', inputs: [{ url }] }),
  'PUT of a new stream': (url) => code('PUT', '/streams/a', { inputs: [{ url }] }),
  'PUT of another input': (url) => code('PUT', '/streams/old', { inputs: [{ url: 'udp://239.0.0.1:1' }, { url }] }),
  'PUT with a new name': (url) => code('PUT', '/streams/old', { name: 'new', inputs: [{ url }] }),
  'PUT of a template': (url) => code('PUT', '/templates/u', { inputs: [{ url }] }),
  stream_create: (url) => code('POST', `${LEGACY}/config/stream_create`, `stream a { input "${url}"; }`, 'text/plain'),
};

describe.each(Object.entries(WAYS))('an input written by %s', (_way, write) => {
  it.each([
    'udp://239.0.0.1:1234',
    'rtp://@:5004',
    'rtp://239.0.0.1?sdp=x.sdp',
    'tshttp://192.0.2.9/live/mpegts',
    'hls://192.0.2.9/a.m3u8',
    'rtsp://192.0.2.9/ch1',
    'copy://b',
    'fake://',
    'publish://',
  ])('is accepted: %s', async (url) => {
    expect(await write(url)).toBeUndefined();
    expect(stage.text).toContain(url);
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
    ['UDP://239.0.0.1:1234', 'bad_input_url'],
    ['239.0.0.1:1234', 'config_bad_value'],
  ])('is refused: %s', async (url, expected) => {
    expect(await write(url)).toBe(expected);
    expect(stage.text).toBe(CONFIG);
  });
});

describe('an input with an unsupported address', () => {
  it('is refused with a pointer into the body', async () => {
    const inputs = [{ url: 'udp://239.0.0.1:1' }, { url: 'http://192.0.2.9/a' }];
    const refusal = [400, 'input_not_supported', { pointer: '/inputs/1/url' }];
    expect(await stage.refusal('PUT', '/streams/b', { inputs })).toEqual(refusal);
  });

  it('is kept if the configuration already had it, or if the template has it', async () => {
    expect(await code('PUT', '/streams/old', { title: 'x' })).toBeUndefined();
    expect(await code('PUT', '/streams/b', { template: 't' })).toBeUndefined();
    expect(stage.configuration.config.streams.get('b')?.inputs).toMatchObject([{ url: 'm4f://192.0.2.9/a' }]);
  });
});
