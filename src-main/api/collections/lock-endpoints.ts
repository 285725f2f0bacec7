import {
  ARCHIVE_LOCKS_MAX,
  archiveLockBodySchema,
  archiveLockSchema,
  archiveLocksSchema,
  archiveTimeSchema,
  type ArchiveLockAnswer,
} from '../../../src-preload/contract/api/archive/archive-locks.ts';
import { changedBy } from '../../operators/caller.ts';
import type { RecordedArchive } from '../endpoints/api-context.ts';
import type { Answer, Endpoint, EndpointRequest, BodySchema } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { requireArchive, requireArchiveToChange, rangeOf, timeOf, timeParameters } from '../endpoints/archive-times.ts';
import type { CollectionContext } from './collection-context.ts';

export const LOCK_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  dvr_lock: archiveLockSchema,
  dvr_locks: archiveLocksSchema,
};

const ROW = { tag: 'streams', path: '/streams/{name}/dvr/locks', isScoped: true } as const;
const WRITE = {
  ...ROW,
  access: 'operate',
  body: { schema: archiveLockBodySchema },
  errors: [404, 409],
  replies: { 200: { description: 'The resulting lock', schema: schemaRef('dvr_lock') } },
} as const satisfies Partial<Endpoint>;

/** Locks of archives, which no limit of time, size or disk deletes. */
export function lockEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
    {
      ...ROW,
      id: 'stream_dvr_locks',
      method: 'GET',
      access: 'view',
      summary: 'Lists the locks of a stream’s archive',
      parameters: timeParameters('locks', ARCHIVE_LOCKS_MAX),
      replies: { 200: { description: 'The locks', schema: schemaRef('dvr_locks') } },
      handle: (request) => locksOf(context, request),
    },
    {
      ...WRITE,
      id: 'stream_dvr_lock',
      method: 'POST',
      summary: 'Locks a range of the archive of a stream',
      description:
        'The range is merged with locks that it overlaps or touches, and all their notes stay. A range may be locked before it is recorded.',
      handle: (request) => lock(context, request, false),
    },
    {
      ...WRITE,
      id: 'stream_dvr_lock_put',
      method: 'PUT',
      summary: 'Locks a range with a note of its own',
      description:
        'The note replaces those of existing locks in the range. Parts of locks outside the range stay unchanged.',
      handle: (request) => lock(context, request, true),
    },
    {
      ...ROW,
      id: 'stream_dvr_unlock',
      method: 'DELETE',
      access: 'operate',
      errors: [404],
      summary: 'Unlocks a range of the archive of a stream',
      description: 'Longer locks are shortened. Recordings past their limits are deleted within about a minute.',
      body: { schema: archiveTimeSchema },
      replies: { 204: { description: 'The range is unlocked' } },
      handle: async ({ params, caller, body }) => {
        const name = params['name'] ?? '';
        const archive = await requireArchiveToChange(context, name, caller);
        archive.unlock(name, rangeOf(bodyOf(archiveTimeSchema, body)), changedBy(caller, 'api'));
        return { status: 204 };
      },
    },
  ];
}

async function locksOf(context: CollectionContext, { params, query, caller }: EndpointRequest): Promise<Answer> {
  const name = params['name'] ?? '';
  const { time, max: limit } = timeOf(query, ARCHIVE_LOCKS_MAX);
  const found = (await requireArchive(context, name, caller)).locks(name, time);
  const next = found[limit];
  const locks = found.slice(0, limit).map(lockAnswer);
  return { status: 200, body: { name, locks, next: next ? Math.floor(next.startMs / 1000) : null } };
}

async function lock(
  context: CollectionContext,
  { params, caller, body }: EndpointRequest,
  isAlone: boolean,
): Promise<Answer> {
  const name = params['name'] ?? '';
  const archive = await requireArchiveToChange(context, name, caller);
  const { note, ...range } = bodyOf(archiveLockBodySchema, body);
  const created = archive.lock(name, { ...rangeOf(range), note }, changedBy(caller, 'api'), { isAlone });
  return { status: 200, body: lockAnswer(created) };
}

function lockAnswer({ startMs, endMs, note, by, atMs }: ReturnType<RecordedArchive['lock']>): ArchiveLockAnswer {
  const from = Math.floor(startMs / 1000);
  return { from, duration: Math.ceil(endMs / 1000) - from, note, locked_by: by, locked_at: atMs };
}
