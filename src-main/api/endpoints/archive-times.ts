import { ARCHIVE_MAX_SECONDS } from '../../../src-preload/contract/api/archive/archive-locks.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Caller } from '../../operators/caller.ts';
import { isInScope, requireInScope } from '../../operators/require.ts';
import type { ApiContext, ArchiveTime, RecordedArchive } from './api-context.ts';
import type { EndpointRequest, ParameterDoc } from './endpoint.ts';
import { inQuery } from './parameters.ts';
import { integerOf, parameter } from './query-flag.ts';

/** Default number of items in an answer. */
const DEFAULT_LIMIT = 1000;
const SECONDS = { type: 'integer', minimum: 0, maximum: ARCHIVE_MAX_SECONDS } as const;

/** Parameters of requests for a time range. @param what items that `limit` counts */
export function timeParameters(what: string, max: number): readonly ParameterDoc[] {
  return [
    inQuery('from', 'start of the range, epoch seconds', { ...SECONDS, default: 0 }),
    inQuery('to', 'end of the range, epoch seconds; default: no end', SECONDS),
    inQuery('limit', `${what} at most`, { type: 'integer', minimum: 1, maximum: max, default: DEFAULT_LIMIT }),
  ];
}

/** Time range and limit of a query. Raises `bad_query`. */
export function timeOf(
  query: EndpointRequest['query'],
  maxItems: number,
): { readonly time: ArchiveTime; readonly max: number } {
  const read = (name: string, fallback: number, min: number, most: number): number =>
    integerOf(parameter({ query }, name) ?? String(fallback), name, { min, max: most });
  const startMs = read('from', 0, 0, ARCHIVE_MAX_SECONDS) * 1000;
  const endMs = read('to', ARCHIVE_MAX_SECONDS, 0, ARCHIVE_MAX_SECONDS) * 1000;
  return { time: { startMs, endMs }, max: read('limit', DEFAULT_LIMIT, 1, maxItems) };
}

/** Converts a range in seconds to milliseconds. */
export function rangeOf({ from, duration }: { readonly from: number; readonly duration: number }): ArchiveTime {
  return { startMs: from * 1000, endMs: (from + duration) * 1000 };
}

/** Headers with the number of blocks and bytes that a deletion freed. */
export function removedHeaders({
  count,
  bytes,
}: Awaited<ReturnType<RecordedArchive['remove']>>): Readonly<Record<string, string>> {
  return { 'airdesk-deleted-blocks': String(count), 'airdesk-freed-bytes': String(bytes) };
}

/** Raises `unavailable` if archives cannot be listed. */
export function requireCatalog({ archive }: Pick<ApiContext, 'archive'>): RecordedArchive {
  if (!archive) throw new AirdeskError('unavailable', 'The catalog of archives cannot be opened');
  return archive;
}

/** Archive of a known or former stream. Raises `stream_not_found` if there is neither, or if it is outside the caller's scope. */
export async function requireArchive(
  context: Pick<ApiContext, 'archive' | 'streams'>,
  name: string,
  caller: Caller,
): Promise<RecordedArchive> {
  const missing = (): AirdeskError => new AirdeskError('stream_not_found', `There is no stream ${name}`);
  if (!isInScope(caller, name)) throw missing();
  const isKnown = context.streams.get(name) !== undefined;
  if (!isKnown && (await context.archive?.extent(name)) === undefined) throw missing();
  return requireCatalog(context);
}

/** Archive of a stream for changes. Raises `forbidden` for a stream outside the caller's scope. */
export async function requireArchiveToChange(
  context: Pick<ApiContext, 'archive' | 'streams'>,
  name: string,
  caller: Caller,
): Promise<RecordedArchive> {
  requireInScope(caller, name);
  return requireArchive(context, name, caller);
}
