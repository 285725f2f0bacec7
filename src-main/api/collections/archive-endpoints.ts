import {
  ARCHIVE_RANGES_MAX,
  archiveRangesSchema,
  type ArchiveRangesAnswer,
} from '../../../src-preload/contract/api/archive/archive-ranges.ts';
import { archiveRemovalBodySchema } from '../../../src-preload/contract/api/archive/archive-locks.ts';
import { changedBy } from '../../operators/caller.ts';
import type { Endpoint, EndpointRequest, BodySchema } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { bodyOf } from '../endpoints/checked.ts';
import {
  removedHeaders,
  requireArchive,
  requireArchiveToChange,
  rangeOf,
  timeOf,
  timeParameters,
} from '../endpoints/archive-times.ts';
import type { CollectionContext } from './collection-context.ts';
import { LOCK_SCHEMAS, lockEndpoints } from './lock-endpoints.ts';

export const ARCHIVE_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  dvr_ranges: archiveRangesSchema,
  ...LOCK_SCHEMAS,
};

/** Recordings of streams. */
export function archiveEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
    {
      id: 'stream_dvr_ranges',
      tag: 'streams',
      method: 'GET',
      path: '/streams/{name}/dvr/ranges',
      access: 'view',
      isScoped: true,
      summary: 'Lists the recorded ranges of a stream',
      description:
        'Gaps of more than half a second separate the ranges. A running recording is included up to its last complete segment.',
      parameters: timeParameters('ranges', ARCHIVE_RANGES_MAX),
      replies: { 200: { description: 'The recorded ranges', schema: schemaRef('dvr_ranges') } },
      handle: async (request) => ({ status: 200, body: await rangesOf(context, request) }),
    },
    {
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
      handle: async ({ params, caller, body }) => {
        const name = params['name'] ?? '';
        const archive = await requireArchiveToChange(context, name, caller);
        const { note, ...removal } = bodyOf(archiveRemovalBodySchema, body);
        const request = { note, withLocked: false };
        const removed = await archive.remove(name, rangeOf(removal), changedBy(caller, 'api'), request);
        return { status: 204, headers: removedHeaders(removed) };
      },
    },
    ...lockEndpoints(context),
  ];
}

async function rangesOf(
  context: CollectionContext,
  { params, query, caller }: EndpointRequest,
): Promise<ArchiveRangesAnswer> {
  const name = params['name'] ?? '';
  const { time, max: limit } = timeOf(query, ARCHIVE_RANGES_MAX);
  const { ranges, nextMs } = await (await requireArchive(context, name, caller)).ranges(name, time, limit);
  return {
    name,
    ranges: ranges.map((range) => {
      const from = Math.floor(range.startMs / 1000);
      return { from, duration: Math.ceil(range.endMs / 1000) - from };
    }),
    next: nextMs === undefined ? null : Math.floor(nextMs / 1000),
  };
}
