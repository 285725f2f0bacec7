import {
  ARCHIVE_RANGES_MAX,
  archiveRangesSchema,
  type ArchiveRangesAnswer,
} from '../../../src-preload/contract/api/archive-ranges.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { requireStream } from '../api-context.ts';
import type { Endpoint, EndpointRequest } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { shownTo } from '../shown-server.ts';
import type { CollectionContext } from './collection-context.ts';

/** Schemas that these endpoints refer to. */
export const ARCHIVE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  dvr_ranges: jsonSchemaOf(archiveRangesSchema),
};

/** Ranges of an answer that says no number. */
const DEFAULT_RANGES = 1000;
/** The last second that is asked about: the year 9999. */
const MOST_SECONDS = 253_402_300_799;
const SECONDS = { type: 'integer', minimum: 0, maximum: MOST_SECONDS } as const;

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
      parameters: [
        {
          name: 'from',
          in: 'query',
          description: 'from this time on, epoch seconds',
          schema: { ...SECONDS, default: 0 },
        },
        { name: 'to', in: 'query', description: 'up to this time, epoch seconds; without it all', schema: SECONDS },
        {
          name: 'limit',
          in: 'query',
          description: 'ranges at most',
          schema: { type: 'integer', minimum: 1, maximum: ARCHIVE_RANGES_MAX, default: DEFAULT_RANGES },
        },
      ],
      replies: { 200: { description: 'What is recorded', schema: schemaRef('dvr_ranges') } },
      handle: async (request) => ({ status: 200, body: await rangesOf(context, request) }),
    },
  ];
}

async function rangesOf(
  context: CollectionContext,
  { params, query, caller }: EndpointRequest,
): Promise<ArchiveRangesAnswer> {
  const { name } = requireStream(shownTo(context, caller), params['name'] ?? '');
  const startMs = numberOf(query, 'from', { least: 0, most: MOST_SECONDS, otherwise: 0 }) * 1000;
  const endMs = numberOf(query, 'to', { least: 0, most: MOST_SECONDS, otherwise: MOST_SECONDS }) * 1000;
  const most = numberOf(query, 'limit', { least: 1, most: ARCHIVE_RANGES_MAX, otherwise: DEFAULT_RANGES });
  if (!context.archive) throw new AirdeskError('unavailable', 'The catalog of archives cannot be opened');
  const { ranges, nextMs } = await context.archive.ranges(name, { startMs, endMs }, most);
  return {
    name,
    ranges: ranges.map((range) => {
      const from = Math.floor(range.startMs / 1000);
      return { from, duration: Math.ceil(range.endMs / 1000) - from };
    }),
    next: nextMs === undefined ? null : Math.floor(nextMs / 1000),
  };
}

function numberOf(
  query: EndpointRequest['query'],
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const found = query.find((one) => one.name === name);
  if (!found) return otherwise;
  const value = /^[0-9]{1,12}$/.test(found.value ?? '') ? Number(found.value) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new AirdeskError('bad_query', `${name} is a whole number from ${least} to ${most}`, { parameter: name });
}
