import {
  legacyDvrDeleteSchema,
  legacyDvrLockSchema,
  legacyDvrStatusSchema,
  legacyTrueSchema,
} from '../../../src-preload/contract/api/legacy.ts';
import { ARCHIVE_OPERATIONS } from '../../../src-preload/contract/operations/archive-operations.ts';
import { changedBy } from '../../operators/caller.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  removeRange,
  requireArchive,
  requireArchiveToChange,
  rangeOf,
} from '../../control/archive/archive-operations.ts';
import { headersOf } from '../endpoints/operation-endpoints.ts';
import { recordStreams } from '../../control/stream-edits.ts';
import { legacyDvrStatus } from './archive.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { nameOf, ok, streamAction } from './row.ts';

/** Archives in the legacy API, and actions on them. */
export function archiveEndpoints(context: ApiContext): Endpoint[] {
  return [
    {
      method: 'GET',
      tag: 'legacy',
      access: 'view',
      isScoped: true,
      path: '/dvr_status/{year}/{month}/{day}/{+name}',
      id: 'legacy_dvr_status',
      summary: 'Lists the recordings of one day',
      replies: { 200: { description: 'Blocks of the archive', schema: legacyDvrStatusSchema } },
      description:
        'Each block has the segments of its first video track, or of its first track if it has no video. Sizes are those of all tracks.',
      handle: async ({ params, caller }) => {
        const { year = '', month = '', day = '' } = params;
        const name = nameOf(params);
        return ok(legacyDvrStatus(await requireArchive(context, name, caller), name, [year, month, day]));
      },
    },
    {
      method: 'POST',
      tag: 'legacy',
      access: 'edit',
      isScoped: true,
      path: '/dvr/delete',
      id: 'legacy_dvr_delete',
      summary: 'Deletes a range of an archive',
      errors: [404, 503],
      body: { schema: legacyDvrDeleteSchema },
      replies: { 200: { description: 'The range is deleted', schema: legacyTrueSchema } },
      description:
        'Deletes all segments that overlap the range, even locked ones, up to the current time. Later recordings stay. `Airdesk-Deleted-Blocks` is the number of deleted or shortened blocks, `Airdesk-Freed-Bytes` the number of freed bytes.',
      handle: async ({ body, caller }) => {
        const { stream, note = '', ...range } = bodyOf(legacyDvrDeleteSchema, body);
        const author = { caller, by: changedBy(caller, 'api') };
        const removed = await removeRange(context, stream, { ...range, note }, author, true);
        return { ...ok(true), headers: headersOf(ARCHIVE_OPERATIONS['archive.remove'].http.headers, removed) };
      },
    },
    lockEndpoint(context, 'lock'),
    lockEndpoint(context, 'unlock'),
    ...switchEndpoints(context, 'enable'),
    ...switchEndpoints(context, 'disable'),
  ];
}

/** Endpoints that switch a recording on or off, like the switch of the desk. */
function switchEndpoints(context: ApiContext, name: 'enable' | 'disable'): Endpoint[] {
  const isOn = name === 'enable';
  return streamAction(
    {
      path: `/dvr_${name}/{+name}`,
      id: `legacy_dvr_${name}`,
      summary: `Switches the recording of a stream ${isOn ? 'on' : 'off'}, until it is restarted`,
      schema: legacyTrueSchema,
      access: 'operate',
      errors: [409],
    },
    async (stream) => {
      await recordStreams(context.streams, [stream], isOn, context.switchRecording);
      return true;
    },
  );
}

/** Endpoint for locks, like the locks in the collection API. */
function lockEndpoint(context: ApiContext, name: 'lock' | 'unlock'): Endpoint {
  const isLock = name === 'lock';
  return {
    method: 'POST',
    tag: 'legacy',
    access: 'operate',
    isScoped: true,
    errors: [404, 409, 503],
    path: `/dvr/${name}`,
    id: `legacy_dvr_${name}`,
    summary: isLock ? 'Locks a range of an archive' : 'Unlocks a range of an archive',
    description: isLock
      ? 'No limit deletes the range. It is merged with locks that it overlaps or touches.'
      : 'Longer locks are shortened.',
    body: { schema: legacyDvrLockSchema },
    replies: { 200: { description: 'Done', schema: legacyTrueSchema } },
    handle: async ({ body, caller }) => {
      const { stream, note = '', ...range } = bodyOf(legacyDvrLockSchema, body);
      const archive = await requireArchiveToChange(context, stream, caller);
      const by = changedBy(caller, 'api');
      if (isLock) archive.lock(stream, { ...rangeOf(range), note }, by, { isAlone: false });
      else archive.unlock(stream, rangeOf(range), by);
      return ok(true);
    },
  };
}
