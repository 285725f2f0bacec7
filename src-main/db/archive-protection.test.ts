import { expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { ArchiveProtectionReader } from './archive-protection-reader.ts';
import { Database } from './database.ts';
import { LockRepository } from './lock-repository.ts';
import { EpisodeRepository } from './episode-repository.ts';

const open = (): Database => Database.open(':memory:', { log: silentLog, now: () => 0 });

it('ArchiveProtectionReader counts every change of locks and episodes, and has a different id for each database', () => {
  const database = open();
  const reader = new ArchiveProtectionReader(database.connection, database.isNew);
  const { id, generation } = reader.read();
  expect({ isNew: reader.isNew, generation }).toEqual({ isNew: true, generation: 0 });
  const [locks, episodes] = [new LockRepository(database.connection), new EpisodeRepository(database.connection)];
  const time = { startMs: 0, endMs: 1, note: '', by: '', atMs: 0 };
  const episode = { id: 'e', stream: 'a', title: '', expiresMs: null, ...time };
  const changes = [
    () => {
      locks.change('a', [], [time]);
    },
    () => {
      episodes.put(episode);
    },
    () => {
      episodes.put({ ...episode, title: 'b' });
    },
    () => {
      episodes.remove(['e']);
    },
    () => {
      locks.change('a', [0], []);
    },
  ];
  const seen = changes.map((change) => {
    change();
    return reader.read().generation;
  });
  expect(new Set(seen).size).toBe(changes.length);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(new ArchiveProtectionReader(open().connection, false).read().id).not.toBe(id);
});
