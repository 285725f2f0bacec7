import { playerListSchema, playerStreamSchema } from '../../../src-preload/contract/api/player-list.ts';
import { stateContext } from '../endpoints/api-context.ts';
import { channelEndpoints } from './channel-endpoints.ts';
import type { ViewerAccess } from '../../control/subscribers/viewer-access.ts';
import { playerStreams } from './player-streams.ts';
import { STREAM_LIST, StreamObjects } from '../objects/stream-objects.ts';
import { listView } from '../collections/generic/list-endpoint.ts';
import type { Api } from '../endpoints/endpoint.ts';
import type { NativeContext } from '../native/native-context.ts';

/** API for players: the available streams. @param viewers streams that subscribers may play */
export function playerApi(context: NativeContext, viewers: Pick<ViewerAccess, 'playable'>): Api {
  const source = playerStreams(new StreamObjects(context), () => stateContext(context));
  return {
    prefixes: ['/-'],
    isPublic: true,
    endpoints: [
      listView(
        { ...STREAM_LIST, schema: playerStreamSchema, source },
        { tag: 'player', id: 'player_streams', summary: 'Streams for players, without their inputs', errors: [404] },
        playerListSchema,
      ),
      ...channelEndpoints(context, viewers),
    ],
  };
}
