import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { EpisodeRepository } from './episode-repository.ts';

it('EpisodeRepository stores episodes by id, and refuses one without a time', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  const episodes = new EpisodeRepository(connection);
  const episode = { id: 'b', stream: 'cam', startMs: 1, endMs: 5, title: 'News', note: '', expiresMs: 9 };
  const one = { ...episode, by: 'north', atMs: 7 };
  episodes.put(one);
  episodes.put({ ...one, id: 'a', expiresMs: null });
  episodes.put({ ...one, title: 'Late news' });
  const found = [...episodes.all()];
  expect(found).toEqual([
    { ...one, id: 'a', expiresMs: null },
    { ...one, title: 'Late news' },
  ]);
  expect(() => {
    episodes.put({ ...one, id: 'c', endMs: 1 });
  }).toThrow();
  expect([...episodes.all()]).toEqual(found);
  episodes.remove(['a', 'nothing']);
  expect([...episodes.all()].map(({ id }) => id)).toEqual(['b']);
});
