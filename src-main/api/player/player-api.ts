import { playerListSchema, playerStreamSchema } from '../../../src-preload/contract/api/player-list.ts';
import { stateContext } from '../api-context.ts';
import { textPieces } from '../../lib/text-pieces.ts';
import { shownTo } from '../shown-server.ts';
import { channelList } from './channel-list.ts';
import { PlayerStreams } from './player-streams.ts';
import { StreamObjects } from '../objects/stream-objects.ts';
import { PORTION_PARAMETERS } from '../collections/list-parameters.ts';
import { listHandler } from '../collections/list-endpoint.ts';
import { PiecesBody, type Api } from '../endpoints/endpoint.ts';
import { jsonSchemaOf } from '../endpoints/json-schema.ts';
import type { NativeContext } from '../native/native-context.ts';

/** The address by which a player reached the server, where it says so. */
function baseUrlFor(host: string | undefined, baseUrl: string): string {
  return host !== undefined && /^[a-z0-9.:[\]-]{1,255}$/i.test(host)
    ? `${new URL(baseUrl).protocol}//${host}`
    : baseUrl;
}

/** What players find out: which streams there are. */
export function playerApi(context: NativeContext): Api {
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
    schema: jsonSchemaOf(playerStreamSchema),
    source: new PlayerStreams(objects, () => stateContext(context)),
  };
  return {
    prefixes: ['/-'],
    isPublic: true,
    endpoints: [
      {
        ...{ method: 'GET', path: '/streams', id: 'player_streams', tag: 'player', access: 'view', isScoped: true },
        summary: 'Streams for players, without anything of their inputs',
        parameters: PORTION_PARAMETERS,
        errors: [404],
        replies: {
          200: {
            description: 'A portion, in its envelope',
            schema: jsonSchemaOf(playerListSchema),
            otherTypes: ['application/openmetrics-text'],
          },
        },
        handle: listHandler(collection, 'player streams'),
      },
      {
        ...{
          method: 'GET',
          path: '/channels.m3u',
          id: 'player_channels',
          tag: 'player',
          access: 'view',
          isScoped: true,
        },
        summary: 'The streams as a list of channels for IPTV players, with the archives that they may ask for',
        description:
          'M3U with `tvg-id`, `catchup`, `catchup-source` and `catchup-days`. The query goes along in every address, so that `?token=` lets the viewer in.',
        replies: { 200: { description: 'The list', schema: { type: 'string' }, type: 'audio/x-mpegurl' } },
        handle: ({ caller, headers, url }) => {
          const list = channelList(shownTo(context, caller).streams.list(), {
            baseUrl: baseUrlFor(headers.host, context.describe().base_url),
            query: url.split('?', 2)[1] ?? '',
            context: stateContext(context),
          });
          return { status: 200, body: new PiecesBody(textPieces(list), 'audio/x-mpegurl; charset=utf-8') };
        },
      },
    ],
  };
}
