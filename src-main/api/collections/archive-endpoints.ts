import { archiveRemovalBodySchema } from '../../../src-preload/contract/api/archive/archive-locks.ts';
import { rangeOf, requireArchiveToChange, type RecordedArchive } from '../../control/archive/archive-operations.ts';
import { changedBy } from '../../operators/caller.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { bodyOf } from '../endpoints/checked.ts';
import type { CollectionContext } from './collection-context.ts';

/** Deletion of recordings. */
export function archiveEndpoint(context: CollectionContext): Endpoint {
  return {
    id: 'stream_dvr_ranges_delete',
    tag: 'streams',
    method: 'DELETE',
    path: '/streams/{name}/dvr/ranges',
    access: 'edit',
    isScoped: true,
    errors: [404, 409, 503],
    summary: 'Deletes a range of the archive of a stream',
    description:
      'All segments that overlap the range are deleted, up to now; later recordings are not. If a part of it is locked, nothing is deleted. `Airdesk-Deleted-Blocks` is the number of deleted or shortened blocks, `Airdesk-Freed-Bytes` the number of freed bytes.',
    body: { schema: archiveRemovalBodySchema },
    replies: { 204: { description: 'The range is deleted' } },
    handle: async ({ params: { name = '' }, caller, body }) => {
      const archive = await requireArchiveToChange(context, name, caller);
      const { note, ...removal } = bodyOf(archiveRemovalBodySchema, body);
      const request = { note, withLocked: false };
      const removed = await archive.remove(name, rangeOf(removal), changedBy(caller, 'api'), request);
      return { status: 204, headers: removedHeaders(removed) };
    },
  };
}

/** Headers with the number of blocks and bytes that a deletion freed. */
export function removedHeaders({
  count,
  bytes,
}: Awaited<ReturnType<RecordedArchive['remove']>>): Readonly<Record<string, string>> {
  return { 'airdesk-deleted-blocks': String(count), 'airdesk-freed-bytes': String(bytes) };
}
