import type { SessionSource } from '../../control/sessions/playback-sessions.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import type { ViewerAccess } from '../../control/subscribers/viewer-access.ts';
import { textPieces } from '../../lib/text-pieces.ts';
import { stateContext } from '../endpoints/api-context.ts';
import { PiecesBody, type Endpoint } from '../endpoints/endpoint.ts';
import type { NativeContext } from '../native/native-context.ts';
import { shownTo } from '../endpoints/shown-server.ts';
import { channelList } from './channel-list.ts';
import { inQuery } from '../endpoints/parameters.ts';

/** Base address for players: the host that the player used to reach the server, if it sent one. */
function baseUrlFor(host: string | undefined, baseUrl: string): string {
  return host !== undefined && /^[a-z0-9.:[\]-]{1,255}$/i.test(host)
    ? `${new URL(baseUrl).protocol}//${host}`
    : baseUrl;
}

/** Channel lists for IPTV players. @param viewers streams that subscribers may play */
export function channelEndpoints(context: NativeContext, viewers: Pick<ViewerAccess, 'playable'>): Endpoint[] {
  const { configuration, streams } = context;
  return [
    {
      method: 'GET',
      path: '/channels.m3u',
      id: 'player_channels',
      tag: 'player',
      access: 'view',
      isScoped: true,
      summary: 'The streams as a list of channels for IPTV players, with their archives',
      description:
        'M3U with `tvg-id`, `catchup`, `catchup-source` and `catchup-days`. The query is added to every address, so that `?token=` admits the viewer.',
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
    {
      method: 'GET',
      path: '/catchup.m3u',
      id: 'player_subscriber_channels',
      tag: 'player',
      access: 'probe',
      summary: 'The streams that a subscriber may play, as a list of channels for IPTV players',
      description:
        'Like `/channels.m3u`, for a viewer with a subscriber’s token: the streams that the portal’s subscribers may play (`subscribers://`) and that are in the subscriber’s packages. Every address contains the token; `auth_token` sets the name of its parameter.',
      parameters: [inQuery('token', 'token of the viewer')],
      errors: [403, 503],
      replies: { 200: { description: 'The list', schema: { type: 'string' }, type: 'audio/x-mpegurl' } },
      handle: async ({ headers, url, query }) => {
        const { authToken } = configuration.config;
        const token = query.find(({ name }) => name === authToken)?.value ?? '';
        const entries = [...streams.list()];
        const names = await viewers.playable(token, namesByPortal(entries, context.sessions));
        const list = channelList(
          entries.filter(({ name }) => names.has(name)),
          {
            baseUrl: baseUrlFor(headers.host, context.describe().base_url),
            query: url.split('?', 2)[1] ?? '',
            context: stateContext(context),
          },
        );
        const body = new PiecesBody(textPieces(list), 'audio/x-mpegurl; charset=utf-8');
        return { status: 200, body, headers: { 'cache-control': 'private' } };
      },
    },
  ];
}

/** Streams by the portals whose subscribers may play them. */
function namesByPortal(
  entries: readonly StreamEntry[],
  sessions: Pick<SessionSource, 'portalsOf'>,
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name } of entries)
    for (const portal of sessions.portalsOf(name)) {
      const portalNames = names.get(portal);
      if (portalNames) portalNames.push(name);
      else names.set(portal, [name]);
    }
  return names;
}
