import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListEpisodes } from '../../../tests/helpers/list-episodes.ts';
import { ArchiveEpisodes, MAX_EPISODES, type ArchiveEpisode } from './archive-episodes.ts';

const EPISODE: ArchiveEpisode = {
  id: 'a',
  stream: 'cam',
  startMs: 1000,
  endMs: 2000,
  title: 'News',
  note: '',
  expiresMs: null,
  by: 'north',
  atMs: 1,
};

/** Operations on episodes, in any order. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    stream: fc.constantFrom('x', 'y'),
    startMs: fc.integer({ min: 0, max: 20 }),
    lastsMs: fc.integer({ min: 1, max: 10 }),
    expiresMs: fc.option(fc.integer({ min: 0, max: 40 })),
  }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.record({ kind: fc.constant('expire' as const), nowMs: fc.integer({ min: 0, max: 40 }) }),
);

describe('ArchiveEpisodes', () => {
  it('protects the times that any episode covers, after any changes and a restart', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const store = new ListEpisodes();
        let episodes = new ArchiveEpisodes(store);
        const model = new Map<string, ArchiveEpisode>();
        for (const one of steps) {
          if (one.kind === 'put') {
            const { id, stream, startMs, lastsMs, expiresMs } = one;
            const episode = { ...EPISODE, id, stream, startMs, endMs: startMs + lastsMs, expiresMs };
            expect(episodes.put(episode)).toBe(true);
            model.set(id, episode);
          } else if (one.kind === 'remove') {
            expect(episodes.remove(one.id)).toEqual(model.get(one.id));
            model.delete(one.id);
          } else {
            const past = [...model.values()].filter(({ expiresMs }) => expiresMs !== null && expiresMs <= one.nowMs);
            expect(new Set(episodes.expire(one.nowMs))).toEqual(new Set(past));
            for (const { id } of past) model.delete(id);
          }
          episodes = steps.length % 2 === 0 ? new ArchiveEpisodes(store) : episodes;
          expect(new Set(episodes.list())).toEqual(new Set(model.values()));
          for (const stream of ['x', 'y']) {
            const kept = [...model.values()].filter((episode) => episode.stream === stream);
            const isKept = (ms: number): boolean => kept.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);
            for (let ms = 0; ms < 31; ms++) {
              expect(episodes.hasLocked(stream, { startMs: ms, endMs: ms + 1 })).toBe(isKept(ms));
              expect(episodes.isAllLocked(stream, { startMs: ms, endMs: ms + 2 })).toBe(isKept(ms) && isKept(ms + 1));
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('does not change episodes that cannot be stored', () => {
    const store = new ListEpisodes();
    const episodes = new ArchiveEpisodes(store);
    episodes.put(EPISODE);
    store.fault = new Error('read only');
    expect(() => episodes.put({ ...EPISODE, endMs: 3000 })).toThrow('read only');
    expect(() => episodes.remove('a')).toThrow('read only');
    expect([...episodes.list()]).toEqual([EPISODE]);
    expect(episodes.hasLocked('cam', { startMs: 2000, endMs: 3000 })).toBe(false);
  });

  it('limits the number of episodes of a stream, and still accepts changes of existing episodes', () => {
    const store = new ListEpisodes();
    store.put = () => undefined;
    const episodes = new ArchiveEpisodes(store);
    for (let at = 0; at < MAX_EPISODES; at++) expect(episodes.put({ ...EPISODE, id: `e${at}` })).toBe(true);
    expect(episodes.put({ ...EPISODE, id: 'more' })).toBe(false);
    expect(episodes.put({ ...EPISODE, id: 'e7', title: 'other' })).toBe(true);
    expect(episodes.put({ ...EPISODE, id: 'more', stream: 'other' })).toBe(true);
  });
});
