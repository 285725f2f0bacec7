import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useStreamsStore } from './store.ts';
import { useStreamFeed } from './use-stream-feed.ts';

let desk: TestDesk;

beforeEach(() => {
  desk = new TestDesk();
  desk.bridge.answers['streams.list'] = { streams: [aStream()] };
});

describe('the feed of streams', () => {
  it('waits for the connection, then asks for the list at once', async () => {
    desk.bridge.setLink({ phase: 'connecting' });
    desk.run(useStreamFeed);
    expect(desk.bridge.called).toEqual([]);
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    expect([useStreamsStore().phase, useStreamsStore().names]).toEqual(['ready', ['cam1']]);
  });

  it('says why there is no list, and has it after another try', async () => {
    desk.bridge.errors['streams.list'] = { code: 'forbidden', message: '' };
    const { made } = desk.run(useStreamFeed);
    await flushPromises();
    expect([useStreamsStore().phase, useStreamsStore().failure?.code]).toEqual(['failed', 'forbidden']);
    delete desk.bridge.errors['streams.list'];
    made.retry();
    await flushPromises();
    expect([useStreamsStore().phase, useStreamsStore().failure, desk.bridge.retries]).toEqual(['ready', null, 1]);
  });

  it('goes on loading while the server cannot be asked: that is no refusal', async () => {
    desk.bridge.errors['streams.list'] = { code: 'unavailable', message: '' };
    desk.run(useStreamFeed);
    await flushPromises();
    expect(useStreamsStore().phase).toBe('loading');
  });

  it('keeps the streams while the connection is away, and takes the snapshot when it is back', async () => {
    const { end } = desk.run(useStreamFeed);
    await flushPromises();
    desk.bridge.setLink({ phase: 'stale' });
    expect(useStreamsStore().names).toEqual(['cam1']);
    desk.bridge.setLink({ phase: 'live' });
    desk.bridge.send('streams', { is_snapshot: true, changed: [aStream({ name: 'cam2' })], removed: [] });
    expect(useStreamsStore().names).toEqual(['cam2']);
    expect(desk.bridge.called).toEqual(['streams.list']);
    end();
    expect(desk.bridge.listeners).toBe(0);
  });
});
