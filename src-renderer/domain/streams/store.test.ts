import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StreamState } from '../../../src-preload/contract/index.ts';
import { ChangeGate } from './change-gate.ts';
import { frameAgeMs, useStreamsStore } from './store.ts';

const stream = (name: string, change: Partial<StreamState> = {}): StreamState => ({
  name,
  named_by: 'config',
  status: 'running',
  alive: true,
  ts_delay: 40,
  publish_urls: [],
  media_info: null,
  bitrate: 1,
  fps: 25,
  left_out: [],
  input_error_rate: 0,
  static: true,
  inputs: [],
  active_input: null,
  selected_input: null,
  backup_running: false,
  input_switches: 0,
  playback: { hls: '', dash: '', ts: '', embed: '', preview: '' },
  bytes_in: 0,
  bytes_out: 0,
  client_count: 0,
  retry_count: 0,
  started_at: null,
  problems: [],
  ...change,
});

describe('the store of streams', () => {
  beforeEach(() => setActivePinia(createPinia()));

  it('is loading until the first snapshot', () => {
    const store = useStreamsStore();
    expect(store.phase).toBe('loading');
    store.apply({ is_snapshot: true, changed: [stream('a'), stream('b', { alive: false })], removed: [] }, 0);
    expect([store.phase, store.names, store.aliveCount]).toEqual(['ready', ['a', 'b'], 1]);
  });

  it('has a problem for a lost stream, but not for one that waits for its encoder', () => {
    const store = useStreamsStore();
    const waiting = stream('van', { alive: false, ts_delay: null, publish_urls: ['rtmp://h/van'] });
    store.apply({ is_snapshot: true, changed: [stream('a'), waiting], removed: [] }, 0);
    expect([store.aliveCount, store.hasTrouble]).toEqual([1, false]);
    store.apply({ is_snapshot: false, changed: [stream('a', { alive: false })], removed: [] }, 0);
    expect(store.hasTrouble).toBe(true);
  });

  it('applies changes, and is replaced by a later snapshot', () => {
    const store = useStreamsStore();
    store.apply({ is_snapshot: true, changed: [stream('a'), stream('b')], removed: [] }, 0);
    store.apply({ is_snapshot: false, changed: [stream('c')], removed: ['a'] }, 0);
    expect(store.names).toEqual(['b', 'c']);
    store.apply({ is_snapshot: true, changed: [stream('d')], removed: [] }, 0);
    expect(store.names).toEqual(['d']);
  });

  it('can fail only before the first snapshot', () => {
    const store = useStreamsStore();
    store.setFailure({ code: 'internal', message: '' });
    expect(store.phase).toBe('failed');
    store.apply({ is_snapshot: true, changed: [], removed: [] }, 0);
    store.setFailure({ code: 'internal', message: '' });
    expect(store.phase).toBe('ready');
  });

  it('computes the age of the last frame, also if messages are overdue', () => {
    expect(frameAgeMs({ state: stream('a'), receivedAtMs: 1000 }, 2000)).toBe(40);
    expect(frameAgeMs({ state: stream('a'), receivedAtMs: 1000 }, 3000)).toBe(840);
    expect(frameAgeMs({ state: stream('a', { alive: false, ts_delay: 13_000 }), receivedAtMs: 1000 }, 1500)).toBe(
      13_500,
    );
    expect(frameAgeMs({ state: stream('a', { ts_delay: null }), receivedAtMs: 1000 }, 1500)).toBeNull();
  });
});

describe('ChangeGate', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('passes on at most one message per interval, with the newest state of each stream', () => {
    const seen: unknown[] = [];
    const gate = new ChangeGate((message) => seen.push(message));
    for (let bitrate = 0; bitrate < 10; bitrate++)
      gate.add({ is_snapshot: false, changed: [stream('a', { bitrate })], removed: ['b'] });
    const change = (bitrate: number): object => ({
      is_snapshot: false,
      changed: [stream('a', { bitrate })],
      removed: ['b'],
    });
    expect(seen).toEqual([change(0)]);
    vi.advanceTimersByTime(200);
    expect(seen).toEqual([change(0), change(9)]);
    // After a pause the next message passes at once.
    vi.advanceTimersByTime(200);
    gate.add({ is_snapshot: false, changed: [stream('a', { bitrate: 10 })], removed: ['b'] });
    expect(seen.at(-1)).toEqual(change(10));
  });

  it('drops pending changes when a snapshot arrives', () => {
    const seen: unknown[] = [];
    const gate = new ChangeGate((message) => seen.push(message));
    gate.add({ is_snapshot: false, changed: [stream('first')], removed: [] });
    gate.add({ is_snapshot: false, changed: [stream('old')], removed: [] });
    gate.add({ is_snapshot: true, changed: [stream('new')], removed: [] });
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([
      { is_snapshot: false, changed: [stream('first')], removed: [] },
      { is_snapshot: true, changed: [stream('new')], removed: [] },
    ]);
  });
});
