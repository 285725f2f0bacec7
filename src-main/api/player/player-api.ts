import { playerListSchema, playerStreamSchema } from '../../../src-preload/contract/api/player-list.ts';
import { stateContext } from '../endpoints/api-context.ts';
import { channelEndpoints } from './channel-endpoints.ts';
import type { ViewerAccess } from '../../control/subscribers/viewer-access.ts';
import { playerStreams } from './player-streams.ts';
import { StreamObjects } from '../objects/stream-objects.ts';
import { PAGE_PARAMETERS } from '../collections/generic/list-parameters.ts';
import { listHandler } from '../collections/generic/list-endpoint.ts';
import type { Api } from '../endpoints/endpoint.ts';
import type { NativeContext } from '../native/native-context.ts';

/** API for players: the available streams. @param viewers streams that subscribers may play */
export function playerApi(context: NativeContext, viewers: Pick<ViewerAccess, 'playable'>): Api {
  const { configuration, streams, stats, clock } = context;
  const objects = new StreamObjects({
    configuration,
    streams,
    context: () => ({ nowMs: clock.now(), rates: (entry) => stats.rates(entry) }),
  });
  const collection = {
    ...({
      path: '/streams',
      name: 'streams',
      item: 'stream',
      key: 'name',
      missing: 'stream_not_found',
      implicitSort: ['named_by', 'position', 'name'],
    } as const),
    schema: playerStreamSchema,
    source: playerStreams(objects, () => stateContext(context)),
  };
  return {
    prefixes: ['/-'],
    isPublic: true,
    endpoints: [
      {
        method: 'GET',
        path: '/streams',
        id: 'player_streams',
        tag: 'player',
        access: 'view',
        isScoped: true,
        summary: 'Streams for players, without their inputs',
        parameters: PAGE_PARAMETERS,
        errors: [404],
        replies: {
          200: {
            description: 'A page, in its envelope',
            schema: playerListSchema,
            otherTypes: ['application/openmetrics-text'],
          },
        },
        handle: listHandler(collection, 'player streams'),
      },
      ...channelEndpoints(context, viewers),
    ],
  };
}
