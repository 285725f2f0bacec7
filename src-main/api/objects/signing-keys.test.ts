import { afterAll, beforeAll, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(
    'http 80; play_key key-of-all-streams-0; stream cam { input fake://; } stream open { input fake://; play_key false; }',
  );
});
afterAll(() => stage.close());

it('signing keys are switched off for one stream through the API, and the setting is visible', async () => {
  const { status, body } = await stage.request('PUT', '/streams/cam', { play_key: false });
  expect([status, body]).toEqual([200, expect.objectContaining({ play_key: false })]);
  expect(stage.text).toContain('stream cam { input fake://; play_key false; }');
  expect(stage.configuration.config.streams.get('cam')?.playKey).toBe(false);
  expect(await stage.request('POST', '/streams/cam/signed_address', { use: 'play', expires_in: 60 })).toMatchObject({
    body: { error: 'signing_key_missing' },
  });
});

it('the setting that switches signing keys off is not masked', async () => {
  const { body } = await stage.request('GET', '/config', undefined, { accept: 'text/plain' });
  expect(body).toContain('play_key false;');
  expect(body).not.toContain('key-of-all-streams-0');
});

it('signing keys of the top level apply again after play_key is null, and a key of the stream is masked', async () => {
  await stage.request('PUT', '/streams/open', { play_key: 'key-of-this-stream-0' });
  expect((await stage.request('GET', '/streams/open')).body).toMatchObject({ play_key: '********' });
  await stage.request('PUT', '/streams/open', { play_key: null });
  expect((await stage.request('GET', '/streams/open')).body).not.toHaveProperty('play_key');
});
