import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { type ServerState, ServerSupervisor } from './server-supervisor.ts';
import type { FeedNews, ThreadListener, ToThread } from './ipc/thread-messages.ts';

interface FakeThread {
  readonly listener: ThreadListener;
  readonly posted: ToThread[];
  isKilled: boolean;
}

function make(): {
  clock: FakeClock;
  threads: FakeThread[];
  states: ServerState[];
  fed: FeedNews[];
  supervisor: ServerSupervisor;
  failed: { isHandled: boolean };
} {
  const clock = new FakeClock();
  const threads: FakeThread[] = [];
  const states: ServerState[] = [];
  const fed: FeedNews[] = [];
  const failed = { isHandled: false };
  const supervisor = new ServerSupervisor({
    clock,
    log: silentLog,
    start: (listener) => {
      const thread: FakeThread = { listener, posted: [], isKilled: false };
      threads.push(thread);
      return {
        post: (message) => thread.posted.push(message),
        kill: () => {
          thread.isKilled = true;
          listener.ended('killed');
        },
      };
    },
    failed: () => failed.isHandled,
    changed: (state) => states.push(state),
    fed: (message) => fed.push(message),
  });
  supervisor.start();
  return { clock, threads, states, fed, supervisor, failed };
}

const READY = { kind: 'ready', url: 'http://127.0.0.1:8080/' } as const;

describe('ServerSupervisor', () => {
  it('forwards a call and its reply', async () => {
    const { threads, supervisor } = make();
    threads[0]!.listener.message(READY);
    const reply = supervisor.call('server.info', { a: 1 });
    expect(threads[0]!.posted).toEqual([{ kind: 'call', id: 1, name: 'server.info', input: { a: 1 } }]);
    threads[0]!.listener.message({ kind: 'reply', id: 1, reply: { ok: true, value: 7 } });
    expect(await reply).toEqual({ ok: true, value: 7 });
  });

  it('answers calls with an error while the thread is not ready, when it ends and when it does not answer', async () => {
    const { clock, threads, supervisor } = make();
    expect(await supervisor.call('server.info', {})).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    threads[0]!.listener.message(READY);
    const silent = supervisor.call('server.info', {});
    clock.advance(30_000);
    expect(await silent).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    const cut = supervisor.call('server.info', {});
    threads[0]!.listener.ended('exit code 1');
    expect(await cut).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  it('restarts an ended thread, after pauses that double up to 30 s and are reset by a stable minute', () => {
    const { clock, threads, supervisor } = make();
    const pauses: number[] = [];
    for (let round = 0; round < 7; round++) {
      threads.at(-1)!.listener.ended('exit code 1');
      const { state } = supervisor;
      if (state.kind !== 'down') throw new Error('not down');
      pauses.push(state.retryAtMs - clock.now());
      clock.advance(state.retryAtMs - clock.now());
      expect(threads.length).toBe(round + 2);
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    clock.advance(60_000);
    threads.at(-1)!.listener.ended('exit code 1');
    expect(supervisor.state).toMatchObject({ kind: 'down', retryAtMs: clock.now() + 1000 });
  });

  it('restarts the thread at once, without the state "down", if the next start uses another configuration', () => {
    const { threads, states, supervisor, failed } = make();
    failed.isHandled = true;
    threads[0]!.listener.message({ kind: 'failed', error: { code: 'path_not_allowed', message: 'Not this file' } });
    threads[0]!.listener.ended('exit code 0');
    expect(threads).toHaveLength(2);
    threads[1]!.listener.message(READY);
    expect(supervisor.state).toEqual(READY);
    expect(states.map(({ kind }) => kind)).toEqual(['starting', 'starting', 'ready']);
  });

  it('shows the error of a thread that reports a failure, and kills the thread if it does not exit', () => {
    const { clock, threads, supervisor } = make();
    threads[0]!.listener.message({ kind: 'failed', error: { code: 'port_in_use', message: 'Port 8080 is taken' } });
    clock.advance(3_000);
    expect(threads[0]!.isKilled).toBe(true);
    expect(supervisor.state).toMatchObject({ kind: 'down', error: { code: 'port_in_use' } });
  });

  it('renews subscriptions after a restart and for a second listener, and ends them with the last listener', () => {
    const { clock, threads, supervisor } = make();
    const seen: unknown[] = [];
    const endFirst = supervisor.subscribe('streams', (payload) => seen.push(payload));
    expect(threads[0]!.posted).toEqual([]);
    threads[0]!.listener.message(READY);
    expect(threads[0]!.posted).toEqual([{ kind: 'subscribe', topic: 'streams' }]);
    const endSecond = supervisor.subscribe('streams', () => {});
    expect(threads[0]!.posted.slice(1)).toEqual([
      { kind: 'unsubscribe', topic: 'streams' },
      { kind: 'subscribe', topic: 'streams' },
    ]);
    threads[0]!.listener.ended('exit code 1');
    clock.advance(1_000);
    threads[1]!.listener.message(READY);
    expect(threads[1]!.posted).toEqual([{ kind: 'subscribe', topic: 'streams' }]);
    threads[1]!.listener.message({ kind: 'event', topic: 'streams', payload: 1 });
    endFirst();
    threads[1]!.listener.message({ kind: 'event', topic: 'streams', payload: 2 });
    expect(seen).toEqual([1]);
    endSecond();
    endSecond();
    expect(threads[1]!.posted.slice(1)).toEqual([{ kind: 'unsubscribe', topic: 'streams' }]);
  });

  it('forwards feed messages while the thread runs, and media of feeds from the thread', () => {
    const { threads, fed, supervisor } = make();
    supervisor.feed({ kind: 'feed-close', feed: 2 });
    threads[0]!.listener.message(READY);
    supervisor.feed({ kind: 'feed-close', feed: 3 });
    expect(threads[0]!.posted).toEqual([{ kind: 'feed-close', feed: 3 }]);
    const frame = { kind: 'feed-frame', bytes: new ArrayBuffer(2) } as const;
    const state = { kind: 'feed', feed: 3, state: 'begin', tracks: [] } as const;
    threads[0]!.listener.message(frame);
    threads[0]!.listener.message(state);
    expect(fed).toEqual([frame, state]);
  });

  it('stops the thread and does not restart it', async () => {
    const { clock, threads, supervisor } = make();
    threads[0]!.listener.message(READY);
    const closed = supervisor.close(5_000);
    expect(threads[0]!.posted).toEqual([{ kind: 'stop' }]);
    threads[0]!.listener.ended('exit code 0');
    expect(await closed).toBe(true);
    clock.advance(60_000);
    expect(threads.length).toBe(1);
  });

  it('waits a limited time for the end of the thread', async () => {
    const { clock, supervisor } = make();
    const closed = supervisor.close(5_000);
    clock.advance(5_000);
    expect(await closed).toBe(false);
  });

  it('closes at once while no thread runs', async () => {
    const { clock, threads, supervisor } = make();
    threads[0]!.listener.ended('exit code 1');
    expect(await supervisor.close(5_000)).toBe(true);
    clock.advance(60_000);
    expect(threads.length).toBe(1);
  });
});
