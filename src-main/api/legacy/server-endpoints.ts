import {
  legacyClusterServersSchema,
  legacyFilesSchema,
  legacyListFilesQuerySchema,
  legacyListFilesSchema,
  legacyServerSchema,
  legacySessionsSchema,
  legacyTrueSchema,
} from '../../../src-preload/contract/api/legacy.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { shownTo } from '../endpoints/shown-server.ts';
import { legacyClusterServers } from './cluster.ts';
import { legacyListFiles } from './list-files.ts';
import { legacyServer } from './server.ts';
import { closeSessions, legacyFiles, legacySession } from './sessions.ts';
import { jsonPieces } from '../../lib/text-pieces.ts';
import { PiecesBody, type Endpoint } from '../endpoints/endpoint.ts';
import { queryOf } from '../endpoints/checked.ts';
import { jsonFor, ok, parameterOf, TEXT_TYPES } from './row.ts';
import { inQuery, required } from '../endpoints/parameters.ts';

const VIEW = { method: 'GET', tag: 'legacy', access: 'view' } as const;
const EDIT = { method: 'POST', tag: 'legacy', access: 'edit' } as const;

/** Server, sessions, files and peers in the legacy API. */
export function serverEndpoints(context: ApiContext): Endpoint[] {
  return [
    {
      ...VIEW,
      path: '/server',
      id: 'legacy_server',
      summary: 'The server',
      replies: { 200: { description: 'The server', schema: legacyServerSchema } },
      handle: () => ok(legacyServer(context)),
    },
    {
      ...VIEW,
      path: '/files',
      id: 'legacy_files',
      summary: 'Files that are being played',
      replies: { 200: { description: 'The files', schema: legacyFilesSchema } },
      handle: () => ok(legacyFiles(context)),
    },
    {
      ...VIEW,
      isScoped: true,
      path: '/sessions',
      id: 'legacy_sessions',
      summary: 'Sessions of viewers',
      parameters: [inQuery('name', 'a stream or file; default: all')],
      replies: { 200: { description: 'The sessions', schema: legacySessionsSchema } },
      handle: ({ query, caller }) => {
        const name = parameterOf(query, 'name');
        const before = name === undefined ? '{"sessions":[' : `{"name":${JSON.stringify(name)},"sessions":[`;
        return ok(
          new PiecesBody(
            jsonPieces(
              shownTo(context, caller).sessions.list(name),
              (session) => jsonFor(caller, legacySession(context, session)),
              {
                before,
                after: ']}',
              },
            ),
          ),
        );
      },
    },
    {
      ...EDIT,
      access: 'operate',
      isScoped: true,
      path: '/close_sessions',
      id: 'legacy_close_sessions',
      summary: 'Closes sessions',
      body: { schema: { type: 'string', description: 'session ids, one on each line' }, types: TEXT_TYPES },
      replies: { 200: { description: 'The sessions are closed, or had ended', schema: legacyTrueSchema } },
      handle: async ({ body, caller }) => ok(await closeSessions(context, caller, String(body))),
    },
    {
      ...VIEW,
      path: '/list_files',
      id: 'legacy_list_files',
      summary: 'A folder of a VOD location',
      parameters: [
        required(inQuery('prefix', 'prefix of the location')),
        required(inQuery('path', 'one of its storages')),
        required(inQuery('subpath', 'the folder below it; `/` for the storage itself')),
        inQuery('from', 'the list starts after this name'),
        inQuery('limit', 'maximum number of entries, up to 10000', { type: 'integer' }),
      ],
      replies: { 200: { description: 'Files and folders', schema: legacyListFilesSchema } },
      handle: async ({ query }) => ok(await legacyListFiles(context, queryOf(legacyListFilesQuerySchema, query))),
    },
    {
      ...VIEW,
      path: '/cluster_servers',
      id: 'legacy_cluster_servers',
      summary: 'Other servers',
      replies: { 200: { description: 'By name', schema: legacyClusterServersSchema } },
      handle: () => ok(legacyClusterServers(context)),
    },
  ];
}
