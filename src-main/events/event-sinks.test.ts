import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { EventBus } from './event-bus.ts';
import { EventSinks } from './event-sinks.ts';
import { KEEP_REMOVED_MS, SinkFolders } from './sink-folders.ts';
import type { SinkSettings } from './sink-settings.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-sinks-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const settings = (name: string, more: Partial<SinkSettings> = {}): SinkSettings => ({
  name,
  url: `jsonlog://${name}.jsonl`,
  only: [],
  except: [],
  level: null,
  throttleDelayMs: 0,
  resendLimit: null,
  resendTimeoutMs: null,
  maxBytes: 1e6,
  maxFiles: 1,
  extra: {},
  secrets: [],
  ...more,
});

function stage(clock = new FakeClock()) {
  let id = 1;
  const bus = new EventBus({ server: 'here', clock, nextId: () => id++ });
  const sinks = new EventSinks({
    folders: new SinkFolders(join(folder, 'events')),
    fileRoot: folder,
    userAgent: 'Airdesk/test',
    server: 'here',
    clock,
    log: silentLog,
    events: bus,
  });
  bus.receive(sinks.accept);
  return { bus, sinks, clock };
}

const lines = (name: string): Record<string, unknown>[] => {
  const path = join(folder, `${name}.jsonl`);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};
const idle = { input: null, code: null, detail: null };

describe('the event sinks of a configuration', () => {
  it('drop refusals before any other event, and count them', async () => {
    const { bus, sinks } = stage();
    // No server listens at this address.
    sinks.apply([settings('gone', { url: 'http://127.0.0.1:9/', resendLimit: 40 })]);
    for (let host = 0; host < 200; host++)
      bus.emit('auth_failed', { ip: `198.51.100.${host}`, user: null, is_slowed: false });
    for (let at = 0; at < 20; at++) bus.emit('stream_idle', { media: 'news', ...idle });
    await bus.drained();
    await until('a retrying sink', () => sinks.state('gone')?.status === 'retrying', 30_000);
    await sinks.settled();
    // A quarter of the limit, and all other events.
    expect(sinks.state('gone')).toMatchObject({ dropped: 190, dead_letters: 0 });
    expect(sinks.state('gone')?.backlog).toBeGreaterThanOrEqual(10 + 20);
    for (let host = 0; host < 200; host++)
      bus.emit('auth_failed', { ip: `203.0.113.${host}`, user: null, is_slowed: false });
    await bus.drained();
    expect(sinks.state('gone')).toMatchObject({ dropped: 390, dead_letters: 0 });
    await sinks.close();
  });

  it('receive the selected events, with their extra fields', async () => {
    const { bus, sinks } = stage();
    sinks.apply([
      settings('all'),
      settings('some', { only: [{ media: ['news*'] }], extra: { site: 'north', event: 'no' } }),
      settings('bad', { level: 'error' }),
    ]);
    bus.emit('stream_idle', { media: 'news/1', ...idle });
    bus.emit('stream_idle', { media: 'sport', ...idle });
    await until('three lines', () => lines('all').length === 2 && lines('some').length === 1, 30_000);
    expect(lines('some')).toEqual([
      {
        site: 'north',
        event: 'stream_idle',
        event_id: 1,
        utc_ms: expect.any(Number) as number,
        server: 'here',
        media: 'news/1',
        ...idle,
      },
    ]);
    expect(lines('bad')).toEqual([]);
    await until('two delivered events', () => sinks.state('all')?.delivered === 2, 30_000);
    expect([...sinks.states().keys()]).toEqual(['all', 'some', 'bad']);
    expect(sinks.state('other')).toBeUndefined();
    await sinks.close();
  });

  it('are updated by their differences, without losing events', async () => {
    const { bus, sinks } = stage();
    sinks.apply([settings('a', { url: 'jsonlog://old.jsonl' }), settings('b')]);
    const emit = (from: number, to: number): void => {
      for (let index = from; index < to; index++) bus.emit('stream_idle', { media: String(index), ...idle });
    };
    emit(0, 300);
    await bus.drained();
    // Events already queued are written to the old file, later ones to the new file.
    sinks.apply([settings('a'), settings('b')]);
    emit(300, 600);
    const both = (): unknown[] => [...lines('old'), ...lines('a')].map(({ media }) => media);
    await until(
      'all lines',
      () => lines('a').some(({ media }) => media === '599') && lines('b').length === 600,
      30_000,
    );
    expect([...new Set(both())]).toEqual(Array.from({ length: 600 }, (_, index) => String(index)));
    expect(lines('b').map(({ media }) => media)).toEqual(Array.from({ length: 600 }, (_, index) => String(index)));
    await sinks.close();
  });

  it('keep their queue for seven days after they are removed', async () => {
    const clock = new FakeClock();
    const first = stage(clock);
    // The path is too long for a file, so all events stay in the queue.
    first.sinks.apply([settings('a', { url: `log://${'x/'.repeat(3000)}` })]);
    first.bus.emit('stream_idle', { media: 'kept', ...idle });
    await until('a failed attempt', () => first.sinks.state('a')?.status === 'retrying', 30_000);
    first.sinks.apply([]);
    expect(first.sinks.state('a')).toBeUndefined();
    await first.sinks.close();

    clock.advance(KEEP_REMOVED_MS - 1000);
    const second = stage(clock);
    second.sinks.apply([]);
    await second.sinks.close();
    const third = stage(clock);
    third.sinks.apply([settings('a')]);
    await until('the queued event', () => lines('a').length === 1, 30_000);
    expect(lines('a')[0]).toMatchObject({ media: 'kept' });
    await third.sinks.close();

    const fourth = stage(clock);
    fourth.sinks.apply([]);
    await fourth.sinks.close();
    expect(existsSync(join(folder, 'events/a'))).toBe(true);
    clock.advance(KEEP_REMOVED_MS + 1000);
    const fifth = stage(clock);
    fifth.sinks.apply([]);
    await fifth.sinks.close();
    expect(existsSync(join(folder, 'events/a'))).toBe(false);
  });
});

describe('the test of an event sink', () => {
  it('sends only its test event, with any filters', async () => {
    const { sinks } = stage();
    sinks.apply([settings('a', { only: [{ event: ['stream_*'] }] as never }), settings('b')]);
    expect([sinks.test('a', 'boss'), sinks.test('none', 'boss')]).toEqual([true, false]);
    await until('the test event', () => lines('a').length > 0, 30_000);
    expect(lines('a')).toMatchObject([{ event: 'event_sink_test', sink: 'a', who: 'boss' }]);
    await sinks.settled();
    expect(lines('b')).toEqual([]);
    expect([await sinks.replay('a'), await sinks.replay('none')]).toEqual([{ count: 0, isMore: false }, undefined]);
    await sinks.close();
  });
});
