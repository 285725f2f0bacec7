import type { EpisodeObject } from '../../../src-preload/contract/api/archive/episode-object.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { fieldObjects, type FieldReaders, type ObjectSource } from './object-source.ts';

type Episodes = ApiContext['episodes'];
export type Episode = NonNullable<ReturnType<Episodes['find']>>;

const FIELDS: FieldReaders<Episode, EpisodeObject> = {
  id: ({ id }) => id,
  name: ({ stream }) => stream,
  title: ({ title }) => title,
  note: ({ note }) => note,
  from: ({ startMs }) => Math.floor(startMs / 1000),
  to: ({ endMs }) => Math.ceil(endMs / 1000),
  expires_at: ({ expiresMs }) => (expiresMs === null ? null : Math.ceil(expiresMs / 1000)),
  changed_by: ({ by }) => by,
  changed_at: ({ atMs }) => atMs,
};

/** Episodes of archives in the collection API. */
export function episodeObjects({ episodes }: Pick<ApiContext, 'episodes'>): ObjectSource<Episode> {
  return fieldObjects(FIELDS, Date.now, {
    rows: () => [...episodes.list()],
    find: (id) => episodes.find(id),
    texts: ({ id, stream, title, note }) => [id, stream, title, note],
  });
}
