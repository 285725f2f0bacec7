import {
  ARCHIVE_RANGES_MAX,
  archiveRangesSchema,
  type ArchiveRangesAnswer,
} from '../../../src-preload/contract/api/archive-ranges.ts';
import type { Endpoint, EndpointRequest } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { requireArchive, timeOf, timeParameters } from './archive-times.ts';
import type { CollectionContext } from './collection-context.ts';
import { LOCK_SCHEMAS, lockEndpoints } from './lock-endpoints.ts';

/** Schemas that these endpoints refer to. */
export const ARCHIVE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  dvr_ranges: jsonSchemaOf(archiveRangesSchema),
  ...LOCK_SCHEMAS,
};

/** What is recorded of streams. */
export function archiveEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
    {
      ...{
        id: 'stream_dvr_ranges',
        tag: 'streams',
        method: 'GET',
        path: '/streams/{name}/dvr/ranges',
        access: 'view',
        isScoped: true,
      },
      summary: 'What is recorded of a stream, without the holes',
      description:
        'A hole is longer than half a second. What is being recorded is there as far as its segments are whole.',
      parameters: timeParameters('ranges', ARCHIVE_RANGES_MAX),
      replies: { 200: { description: 'What is recorded', schema: schemaRef('dvr_ranges') } },
      handle: async (request) => ({ status: 200, body: await rangesOf(context, request) }),
    },
    ...lockEndpoints(context),
  ];
}

async function rangesOf(
  context: CollectionContext,
  { params, query, caller }: EndpointRequest,
): Promise<ArchiveRangesAnswer> {
  const name = params['name'] ?? '';
  const { time, most } = timeOf(query, ARCHIVE_RANGES_MAX);
  const { ranges, nextMs } = await requireArchive(context, name, caller).ranges(name, time, most);
  return {
    name,
    ranges: ranges.map((range) => {
      const from = Math.floor(range.startMs / 1000);
      return { from, duration: Math.ceil(range.endMs / 1000) - from };
    }),
    next: nextMs === undefined ? null : Math.floor(nextMs / 1000),
  };
}
