import { streamNameSchema } from '../../../src-preload/contract/api/streams.ts';
import {
  tileLabelChangeSchema,
  tileLabelSchema,
  wallRecallSchema,
  WALL_CALLS,
} from '../../../src-preload/contract/operations/wall-calls.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { requireWalls, wallOperations } from '../../control/walls/wall-operations.ts';
import type { WallService } from '../../control/walls/wall-service.ts';
import { requireInScope } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { bodyOf } from '../endpoints/checked.ts';

export const WALL_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  walls: WALL_CALLS['walls.list'].output,
  tile_label: tileLabelSchema,
};

const LABEL = { description: 'The changed label', schema: schemaRef('tile_label') };
const LABEL_PATH = '/streams/{name}/label';

/** Selects the walls that windows show, and sets the labels (UMD and tally) of their tiles, for production systems. */
export function wallEndpoints(context: { readonly walls?: WallService | undefined }): readonly Endpoint[] {
  const desk = (): WallService => requireWalls(context);
  return [
    ...endpointsOf(WALL_CALLS, wallOperations(context), { tag: 'walls' }),
    {
      id: 'wall_recall',
      tag: 'walls',
      method: 'POST',
      path: '/walls/{name}/recall',
      access: 'operate',
      isScoped: true,
      errors: [404, 503],
      summary: 'Switches windows that show the wall to this one',
      description: 'The name of a window is part of its address: `#/wall?window=left`.',
      body: { schema: wallRecallSchema },
      replies: { 204: { description: 'All connected desks were notified' } },
      handle: ({ params: { name = '' }, body, caller }) => {
        desk().recall(caller, name, bodyOf(wallRecallSchema, body ?? {}).window);
        return { status: 204 };
      },
    },
    {
      id: 'stream_label_get',
      tag: 'walls',
      method: 'GET',
      path: LABEL_PATH,
      access: 'view',
      isScoped: true,
      errors: [503],
      summary: 'The label of the tiles of a stream',
      replies: { 200: LABEL },
      handle: ({ params, caller }) => ({ status: 200, body: desk().labels.get(streamOf(params, caller)) }),
    },
    {
      id: 'stream_label_put',
      tag: 'walls',
      method: 'PUT',
      path: LABEL_PATH,
      access: 'operate',
      isScoped: true,
      errors: [409, 503],
      summary: 'Sets the text (UMD) or the lamp (tally) of the tiles of a stream on all desks',
      description: 'Absent fields stay. The stream need not exist yet. Labels do not survive a restart of the server.',
      body: { schema: tileLabelChangeSchema },
      replies: { 200: LABEL },
      handle: ({ params, body, caller }) => {
        const name = streamOf(params, caller);
        return { status: 200, body: desk().labels.set(name, bodyOf(tileLabelChangeSchema, body)) };
      },
    },
    {
      id: 'stream_label_delete',
      tag: 'walls',
      method: 'DELETE',
      path: LABEL_PATH,
      access: 'operate',
      isScoped: true,
      errors: [503],
      summary: 'Removes the label of a stream’s tiles: they show name and title again, without a lamp',
      replies: { 204: { description: 'Done' } },
      handle: ({ params, caller }) => {
        desk().labels.set(streamOf(params, caller), { umd: [], tally: 'off' });
        return { status: 204 };
      },
    },
  ];
}

/** Stream of an address in the caller's scope. Raises `bad_stream_name`, `forbidden`. */
function streamOf({ name = '' }: Readonly<Record<string, string>>, caller: Caller): string {
  if (!streamNameSchema.safeParse(name).success)
    throw new AirdeskError('bad_stream_name', 'This is not a valid stream name', { parameter: 'name' });
  requireInScope(caller, name);
  return name;
}
