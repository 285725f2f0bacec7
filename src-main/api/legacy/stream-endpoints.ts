import {
  legacyHealthSchema,
  legacyMediaInfoSchema,
  legacyMediaSchema,
  legacyNoTranscoderSchema,
  legacyPlaylistSchema,
  legacyTrueSchema,
} from '../../../src-preload/contract/api/legacy.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { shownTo } from '../endpoints/shown-server.ts';
import {
  legacyHealth,
  legacyInputMediaInfo,
  legacyMedia,
  legacyMediaEntries,
  legacyMediaInfo,
  legacyPlaylist,
} from './media.ts';
import { badParameter } from '../../../src-preload/contract/errors.ts';
import { selectInput } from '../../streams/select-input.ts';
import { jsonPieces } from '../../lib/text-pieces.ts';
import { PiecesBody, type Endpoint } from '../endpoints/endpoint.ts';
import { jsonFor, nameOf, NAMES, ok, parameterOf, streamAction } from './row.ts';
import { inQuery } from '../endpoints/parameters.ts';

const VIEW = { method: 'GET', tag: 'legacy', access: 'view', isScoped: true } as const;

/** Streams in the legacy API, and actions on them. */
export function streamEndpoints(context: ApiContext): Endpoint[] {
  return [
    {
      ...VIEW,
      path: '/media',
      id: 'legacy_media',
      summary: 'All streams, or the streams with the given names',
      parameters: [NAMES],
      replies: {
        200: { description: 'The streams', schema: legacyMediaSchema.array() },
      },
      handle: ({ query, caller }) => {
        const shown = shownTo(context, caller);
        const entries = legacyMediaEntries(shown, parameterOf(query, 'name')?.split(','));
        return ok(new PiecesBody(jsonPieces(entries, (entry) => jsonFor(caller, legacyMedia(shown, entry)))));
      },
    },
    {
      ...VIEW,
      path: '/media_info/{+name}',
      id: 'legacy_media_info',
      summary: 'Size and tracks of a stream',
      replies: { 200: { description: 'Size and tracks', schema: legacyMediaInfoSchema } },
      handle: ({ params, caller }) => ok(legacyMediaInfo(shownTo(context, caller), nameOf(params))),
    },
    {
      ...VIEW,
      path: '/input_media_info/{+name}',
      id: 'legacy_input_media_info',
      summary: 'Size and tracks of the input, before transcoding',
      replies: {
        200: {
          description: '`no_transcoder` if the stream is not transcoded',
          schema: legacyNoTranscoderSchema,
        },
      },
      handle: ({ params, caller }) => ok(legacyInputMediaInfo(shownTo(context, caller), nameOf(params))),
    },
    {
      ...VIEW,
      path: '/stream_health/{+name}',
      id: 'legacy_stream_health',
      summary: 'Whether frames arrive: 200, otherwise 424',
      replies: { 200: { description: 'Frames arrive', schema: legacyHealthSchema } },
      errors: [424],
      handle: ({ params, caller }) => ok(legacyHealth(shownTo(context, caller), nameOf(params))),
    },
    {
      ...VIEW,
      path: '/playlist/{+name}',
      id: 'legacy_playlist',
      summary: 'The current entry of a playlist',
      replies: { 200: { description: 'The entry on air', schema: legacyPlaylistSchema } },
      handle: ({ params, caller }) => ok(legacyPlaylist(shownTo(context, caller), nameOf(params))),
    },
    ...streamAction(
      {
        path: '/stream_restart/{+name}',
        id: 'legacy_stream_restart',
        summary: 'Restarts a stream',
        schema: legacyTrueSchema,
        access: 'operate',
      },
      async (name) => {
        await context.streams.restart(name);
        return true;
      },
    ),
    ...streamAction(
      {
        path: '/stream_switch_source/{+name}',
        id: 'legacy_stream_switch_source',
        summary: 'Puts an input of a stream on air',
        schema: legacyTrueSchema,
        access: 'operate',
        parameters: [inQuery('url', 'address of an input as configured or as shown; POST accepts it in the body too')],
      },
      (name, { query, body }) => {
        const url = parameterOf(query, 'url') ?? urlOfBody(body) ?? '';
        if (url === '' && context.streams.get(name)) throw badParameter('url', 'The address of an input is missing');
        selectInput(context.streams, name, url);
        return true;
      },
    ),
  ];
}

/** Address of an input in a body, which is a form, JSON, or only the address. */
function urlOfBody(body: unknown): string | undefined {
  if (typeof body === 'object' && body !== null)
    return 'url' in body && typeof body.url === 'string' ? body.url : undefined;
  if (typeof body !== 'string') return undefined;
  return new URLSearchParams(body).get('url') ?? (body.includes('://') ? body.trim() : undefined);
}
