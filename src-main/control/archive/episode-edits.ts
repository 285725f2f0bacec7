import type { z } from 'zod';
import type { episodeWriteSchema } from '../../../src-preload/contract/api/archive/episode-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { ArchiveEpisode } from '../../dvr/keep/archive-episodes.ts';
import type { OperationContext } from '../../operators/handlers.ts';
import { requireInScope } from '../../operators/require.ts';
import { requireArchiveToChange, type Recordings } from './archive-operations.ts';
import type { EpisodeService } from './episode-service.ts';

/** Pattern of ids that need no encoding in an address. */
const ID = /^[A-Za-z0-9._~-]{1,128}$/;

interface Context extends Recordings {
  readonly episodes: Pick<EpisodeService, 'find' | 'put'>;
}

/**
 * Creates an episode, or changes the fields of the one with this id. Raises `bad_value`, `stream_not_found`, and `forbidden` for a
 * stream outside the caller's scope.
 *
 * @param body absent fields stay; null clears a field
 */
export async function saveEpisode(
  context: Context,
  id: string,
  body: z.output<typeof episodeWriteSchema>,
  { caller, by }: Pick<OperationContext, 'caller' | 'by'>,
): Promise<ArchiveEpisode> {
  if (!ID.test(id))
    throw new AirdeskError('bad_value', 'An id must have 1 to 128 letters, digits and . _ ~ -', { pointer: '/id' });
  const { episodes } = context;
  const existing = episodes.find(id);
  if (existing) requireInScope(caller, existing.stream);
  const stream = needed('name', body.name ?? existing?.stream);
  await requireArchiveToChange(context, stream, caller);
  const startMs = needed('from', body.from === undefined ? existing?.startMs : body.from * 1000);
  const endMs = needed('to', body.to === undefined ? existing?.endMs : body.to * 1000);
  if (endMs <= startMs) throw new AirdeskError('bad_value', 'The end must be after the start', { pointer: '/to' });
  const { expires_at: expiresAt } = body;
  const expiresMs = expiresAt === undefined ? existing?.expiresMs : expiresAt === null ? null : expiresAt * 1000;
  const title = body.title === undefined ? (existing?.title ?? '') : (body.title ?? '');
  const note = body.note === undefined ? (existing?.note ?? '') : (body.note ?? '');
  return episodes.put({ id, stream, title, note, startMs, endMs, expiresMs }, by);
}

function needed<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new AirdeskError('bad_value', `A new episode needs ${name}`, { pointer: `/${name}` });
  return value;
}
