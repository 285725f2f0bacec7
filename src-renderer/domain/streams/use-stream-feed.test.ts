import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useStreamsStore } from './store.ts';
import { useStreamFeed } from './use-stream-feed.ts';

let desk: TestDesk;

beforeEach(() => {
  desk = new TestDesk();
  desk.bridge.answers['streams.list'] = { streams: [] };
});

function sendAll(...names: readonly string[]): void {
  desk.bridge.send('streams', { is_snapshot: true, changed: names.map((name) => aStream({ name })), removed: [] });
}

describe('the feed of streams', () => {
  it('shows a list that arrives in parts once it is complete, with changes since its start', async () => {
    desk.run(useStreamFeed);
    await flushPromises();
    sendAll('old');
    const send = (left: number | undefined, changed: readonly string[], removed: string[] = []): void =>
      desk.bridge.send('streams', {
        is_snapshot: left === 3,
        removed,
        changed: changed.map((name) => aStream({ name, title: `${left}` })),
        ...(left === undefined ? {} : { left }),
      });
    send(3, ['a', 'b']);
    send(undefined, ['a', 'new'], ['b']);
    send(2, ['c']);
    expect(useStreamsStore().names).toEqual(['old']);
    send(0, ['d', 'e']);
    const titles = [...useStreamsStore().byName.values()].map(({ state }) => `${state.name} ${state.title}`);
    expect(titles).toEqual(['a undefined', 'new undefined', 'c 2', 'd 0', 'e 0']);
  });

  it('waits for the connection, checks permission, and loads the list', async () => {
    desk.bridge.setLink({ phase: 'connecting' });
    desk.run(useStreamFeed);
    expect(desk.bridge.called).toEqual([]);
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    expect(desk.bridge.calls).toEqual([['streams.list', { max: 0 }]]);
    sendAll('cam1');
    expect([useStreamsStore().phase, useStreamsStore().names]).toEqual(['ready', ['cam1']]);
  });

  it('shows the reason if there is no list, and loads it on retry', async () => {
    desk.bridge.errors['streams.list'] = { code: 'forbidden', message: '' };
    const { result: made } = desk.run(useStreamFeed);
    await flushPromises();
    expect([useStreamsStore().phase, useStreamsStore().failure?.code]).toEqual(['failed', 'forbidden']);
    delete desk.bridge.errors['streams.list'];
    made.retry();
    await flushPromises();
    sendAll('cam1');
    expect([useStreamsStore().phase, useStreamsStore().failure, desk.bridge.retries]).toEqual(['ready', null, 1]);
  });

  it('stays loading while the server is unreachable', async () => {
    desk.bridge.errors['streams.list'] = { code: 'unavailable', message: '' };
    desk.run(useStreamFeed);
    await flushPromises();
    expect(useStreamsStore().phase).toBe('loading');
  });

  it('keeps the streams while disconnected, and applies the snapshot after reconnecting', async () => {
    const { end } = desk.run(useStreamFeed);
    await flushPromises();
    sendAll('cam1');
    desk.bridge.setLink({ phase: 'stale' });
    expect(useStreamsStore().names).toEqual(['cam1']);
    desk.bridge.setLink({ phase: 'live' });
    sendAll('cam2');
    expect(useStreamsStore().names).toEqual(['cam2']);
    expect(desk.bridge.called).toEqual(['streams.list']);
    end();
    expect(desk.bridge.listeners).toBe(0);
  });
});
