import type { EpisodeObject } from '../../../src-preload/contract/api/archive/episode-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import type { JsonObject, ObjectSource } from './object-source.ts';

type Episodes = NonNullable<ApiContext['episodes']>;
export type Episode = NonNullable<ReturnType<Episodes['find']>>;

/** Readers of the fields, by name. */
const FIELDS: { readonly [K in keyof EpisodeObject]: (episode: Episode) => EpisodeObject[K] } = {
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

/** Raises `unavailable` if episodes cannot be stored. */
export function requireEpisodes({ episodes }: Pick<ApiContext, 'episodes'>): Episodes {
  if (!episodes) throw new AirdeskError('unavailable', 'Episodes cannot be stored');
  return episodes;
}

export function episodeObject(episode: Episode): JsonObject {
  const object: Record<string, string | number | null> = {};
  for (const [name, read] of Object.entries(FIELDS)) object[name] = read(episode);
  return object;
}

/** Episodes of archives in the collection API. */
export class EpisodeObjects implements ObjectSource<Episode> {
  readonly #context: Pick<ApiContext, 'episodes'>;

  constructor(context: Pick<ApiContext, 'episodes'>) {
    this.#context = context;
  }

  rows(): readonly Episode[] {
    return [...requireEpisodes(this.#context).list()];
  }

  find(id: string): Episode | undefined {
    return requireEpisodes(this.#context).find(id);
  }

  getter(path: string): (episode: Episode) => unknown {
    if (!Object.hasOwn(FIELDS, path)) return () => undefined;
    // Own keys of the table are its key type.
    return FIELDS[path as keyof EpisodeObject];
  }

  *texts({ id, stream, title, note }: Episode): Iterable<string> {
    yield* [id, stream, title, note];
  }

  object(episode: Episode): JsonObject {
    return episodeObject(episode);
  }
}
