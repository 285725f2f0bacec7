import { describe, expect, it } from 'vitest';
import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import type { Caller } from '../../operators/caller.ts';
import type { LoudnessService } from '../alarms/loudness-service.ts';
import { forCaller } from '../../../tests/helpers/for-caller.ts';
import { archiveCalls, type ArchiveCallsDeps } from './archive-calls.ts';
import { NoteService } from './note-service.ts';

const CALLER: Caller = { mayRead: true, mayWrite: true, who: 'pat', address: '192.0.2.1' };
const SCOPED: Caller = { ...CALLER, prefixes: ['news'] };
const LOCK = { startMs: 1000, endMs: 2000.5, note: 'case', by: 'sam', atMs: 5 };
const NAMES = Array.from({ length: 2500 }, (_, at) => `news/${String(at).padStart(4, '0')}`);

function deps(change: Partial<ArchiveCallsDeps> = {}): ArchiveCallsDeps {
  return {
    clock: new FakeClock(),
    archive: {
      streams: (after, max) => Promise.resolve(['cam', ...NAMES].filter((name) => name > after).slice(0, max)),
      extent: (name) =>
        Promise.resolve(name === 'news/0001' ? undefined : { startMs: 0.5, endMs: 9.5, blocks: 1, bytes: 7 }),
      ranges: (_name, { startMs }, max) =>
        Promise.resolve({ ranges: Array.from({ length: max }, (_, at) => ({ startMs, endMs: at + 0.5 })), nextMs: 9 }),
      locks: () => [LOCK],
      lock: () => LOCK,
      unlock: () => undefined,
      allowDeletion: () => true,
    },
    streams: { get: () => undefined },
    splices: undefined,
    exports: undefined,
    downloadPath: (ticket) => `/${ticket}`,
    notes: new NoteService(new FakeClock(), undefined),
    alarms: {
      activeIn: (name) => [{ name } as AlarmObject],
      get loudness(): LoudnessService {
        throw new Error('nothing is measured here');
      },
    },
    ...change,
  };
}

describe('archive calls', () => {
  it('list visible archives, in pages, in full milliseconds', async () => {
    const all = forCaller(archiveCalls(deps()), CALLER);
    const first = await all['archive.streams']({});
    expect([first.streams.length, first.is_more, first.streams[0]]).toEqual([
      1000,
      true,
      { name: 'cam', from: 0, to: 10, bytes: 7 },
    ]);
    const page = await forCaller(archiveCalls(deps()), SCOPED)['archive.streams']({ after: 'news/2000' });
    expect([page.streams.length, page.is_more, page.streams[0]?.name]).toEqual([499, false, 'news/2001']);
    expect(first.streams.some(({ name }) => name === 'news/0001')).toBe(false);
  });

  it('return at most the maximum number of ranges, and report that there are more', async () => {
    const { streams } = await forCaller(archiveCalls(deps()), CALLER)['archive.recorded']({
      names: ['a', 'b'],
      from: 3,
      to: 9,
    });
    expect(streams.map(({ name, ranges, is_more: isMore }) => [name, ranges.length, isMore])).toEqual([
      ['a', 5000, true],
      ['b', 5000, true],
    ]);
    expect(streams[0]?.ranges[4]).toEqual({ from: 3, to: 5 });
  });

  it('return marks of all streams, and the remaining marks if locks cannot be read', async () => {
    const marks = await forCaller(archiveCalls(deps()), CALLER)['archive.marks']({ names: ['a', 'b'], from: 0, to: 1 });
    expect(marks.locks[1]).toEqual({ name: 'b', from: 1000, to: 2001, note: 'case', by: 'sam' });
    expect(marks.alarms.map(({ name }) => name)).toEqual(['a', 'b']);
    const { archive } = deps();
    const unread = deps({
      archive: {
        ...archive!,
        locks() {
          throw new Error('no database');
        },
      },
    });
    const rest = await forCaller(archiveCalls(unread), CALLER)['archive.marks']({ names: ['a'], from: 0, to: 1 });
    expect([rest.locks, rest.alarms.length]).toEqual([[], 1]);
  });

  it('return splice points of all streams, without cancellations, for at most a day', async () => {
    const splice = (atMs: number, kind: 'out' | 'in' | 'cancel') => ({
      atMs,
      kind,
      durationMs: kind === 'out' ? 30_000 : null,
    });
    const queries: unknown[] = [];
    const handlers = archiveCalls(
      deps({
        splices: (name, time) => {
          queries.push([name, time]);
          return Promise.resolve(name === 'a' ? [splice(5.4, 'out'), splice(6, 'cancel'), splice(7, 'in')] : []);
        },
      }),
    );
    const calls = forCaller(handlers, CALLER);
    const { splices } = await calls['archive.splices']({ names: ['a', 'b'], from: 0, to: 9 });
    expect(splices).toEqual([
      { name: 'a', at: 5, kind: 'out', duration: 30_000 },
      { name: 'a', at: 7, kind: 'in', duration: null },
    ]);
    expect(queries).toEqual(['a', 'b'].map((name) => [name, { startMs: 0, endMs: 9 }]));
    await expect(calls['archive.splices']({ names: ['a'], from: 0, to: 86_400_001 })).rejects.toThrow(
      /at most one day/,
    );
  });

  it('lock and unlock archives of existing and former streams only', async () => {
    const calls = forCaller(archiveCalls(deps()), CALLER);
    const time = { from: 5, to: 9 };
    expect(await calls['archive.lock']({ name: 'news/0002', ...time, note: '' })).toEqual({});
    const lock = calls['archive.lock']({ name: 'news/0001', ...time, note: '' });
    await expect(lock).rejects.toMatchObject({ code: 'stream_not_found' });
    const unlock = calls['archive.unlock']({ name: 'news/0001', ...time });
    await expect(unlock).rejects.toMatchObject({ code: 'stream_not_found' });
  });

  it('report the error: no archive, no duration, no database', async () => {
    const none = forCaller(archiveCalls(deps({ archive: undefined })), CALLER);
    await expect(none['archive.streams']({})).rejects.toMatchObject({ code: 'unavailable' });
    const calls = forCaller(archiveCalls(deps()), CALLER);
    const noLength = calls['archive.lock']({ name: 'a', from: 5, to: 5, note: '' });
    await expect(noLength).rejects.toThrow(/must be after the start/);
    const noStore = calls['archive.add_note']({ name: 'a', at: 5, text: 'x' });
    await expect(noStore).rejects.toThrow(/cannot be stored/);
  });

  it('list and cancel exports of visible streams only', async () => {
    const job = (id: string, ...streams: string[]) => ({
      id,
      by: 'pat',
      status: 'queued' as const,
      createdMs: 1,
      startedMs: null,
      finishedMs: null,
      failure: null,
      request: { streams, fromMs: 0, toMs: 10, packing: 'mp4' as const },
      files: [],
    });
    const jobs = [job('1', 'cam'), job('2', 'news/a'), job('3', 'news/a', 'cam')];
    const removed: string[] = [];
    const exports: ArchiveCallsDeps['exports'] = {
      list: () => jobs,
      get: (id) => jobs.find((one) => one.id === id),
      progress: () => undefined,
      create: () => Promise.reject(new Error('not asked')),
      createOfCase: () => Promise.reject(new Error('not asked')),
      announce: (id, number) => `${id}-${number}`,
      remove: (id) => Promise.resolve(void removed.push(id)),
    };
    const calls = forCaller(archiveCalls(deps({ exports })), SCOPED);
    expect((await calls['archive.exports']({})).jobs.map(({ id }) => id)).toEqual(['2']);
    await expect(calls['archive.cancel_export']({ id: '3' })).rejects.toMatchObject({ code: 'job_not_found' });
    expect(await calls['archive.download_export']({ id: '2', file: 1 })).toEqual({ path: '/2-1' });
    await expect(calls['archive.download_export']({ id: '3', file: 0 })).rejects.toThrow(/no export 3/);
    await calls['archive.cancel_export']({ id: '2' });
    expect(removed).toEqual(['2']);
  });
});
