import {
  olderClusterServersSchema,
  olderDvrDeleteSchema,
  olderDvrStatusSchema,
  olderFilesSchema,
  olderListFilesQuerySchema,
  olderListFilesSchema,
  olderServerSchema,
  olderSessionsSchema,
  olderTrueSchema,
} from '../../../src-preload/contract/api/older.ts';
import type { ApiHouse } from '../../control/api-house.ts';
import { olderDvrDelete, olderDvrStatus, olderDvrSwitch } from '../../control/older-archive.ts';
import { olderClusterServers } from '../../control/older-cluster.ts';
import { olderListFiles } from '../../control/older-list-files.ts';
import { olderServer } from '../../control/older-server.ts';
import { closeSessions, olderFiles, olderSession } from '../../control/older-sessions.ts';
import { jsonPieces } from '../../lib/text-pieces.ts';
import { PiecesBody, type Endpoint } from '../endpoints/endpoint.ts';
import { jsonSchemaOf } from '../endpoints/json-schema.ts';
import { bodyOf, queryOf } from './checked.ts';
import { action, jsonFor, nameOf, ok, parameterOf, TEXT_TYPES } from './row.ts';

const VIEW = { method: 'GET', tag: 'older', access: 'view' } as const;
const EDIT = { method: 'POST', tag: 'older', access: 'edit' } as const;

/** What the older API tells of the server, its sessions, files, archives and peers. */
export function serverRows(house: ApiHouse): Endpoint[] {
  return [
    {
      ...VIEW,
      path: '/server',
      id: 'older_server',
      summary: 'The server',
      replies: { 200: { description: 'The server', schema: jsonSchemaOf(olderServerSchema) } },
      handle: () => ok(olderServer(house)),
    },
    {
      ...VIEW,
      path: '/files',
      id: 'older_files',
      summary: 'Files that are being played',
      replies: { 200: { description: 'The files', schema: jsonSchemaOf(olderFilesSchema) } },
      handle: () => ok(olderFiles()),
    },
    {
      ...VIEW,
      path: '/sessions',
      id: 'older_sessions',
      summary: 'Sessions of viewers',
      parameters: [
        { name: 'name', in: 'query', description: 'a stream or file; without it all', schema: { type: 'string' } },
      ],
      replies: { 200: { description: 'The sessions', schema: jsonSchemaOf(olderSessionsSchema) } },
      handle: ({ query, caller }) => {
        const name = parameterOf(query, 'name');
        const before = name === undefined ? '{"sessions":[' : `{"name":${JSON.stringify(name)},"sessions":[`;
        return ok(
          new PiecesBody(
            jsonPieces(house.sessions.list(name), (session) => jsonFor(caller, olderSession(house, session)), {
              before,
              after: ']}',
            }),
          ),
        );
      },
    },
    {
      ...EDIT,
      path: '/close_sessions',
      id: 'older_close_sessions',
      summary: 'Closes sessions',
      body: { schema: { type: 'string', description: 'session ids, one on each line' }, types: TEXT_TYPES },
      replies: { 200: { description: 'They are closed, or were gone', schema: jsonSchemaOf(olderTrueSchema) } },
      handle: async ({ body }) => ok(await closeSessions(house, String(body))),
    },
    {
      ...VIEW,
      path: '/list_files',
      id: 'older_list_files',
      summary: 'A folder of a VOD location',
      parameters: [
        {
          name: 'prefix',
          in: 'query',
          description: 'prefix of the location',
          schema: { type: 'string' },
          isRequired: true,
        },
        { name: 'path', in: 'query', description: 'one of its storages', schema: { type: 'string' }, isRequired: true },
        {
          name: 'subpath',
          in: 'query',
          description: 'the folder below it; `/` for the storage itself',
          schema: { type: 'string' },
          isRequired: true,
        },
        { name: 'from', in: 'query', description: 'the list begins after this name', schema: { type: 'string' } },
        { name: 'limit', in: 'query', description: 'most entries, up to 10000', schema: { type: 'integer' } },
      ],
      replies: { 200: { description: 'Files and folders', schema: jsonSchemaOf(olderListFilesSchema) } },
      handle: async ({ query }) => ok(await olderListFiles(house, queryOf(olderListFilesQuerySchema, query))),
    },
    {
      ...VIEW,
      path: '/cluster_servers',
      id: 'older_cluster_servers',
      summary: 'Other servers',
      replies: { 200: { description: 'By name', schema: jsonSchemaOf(olderClusterServersSchema) } },
      handle: () => ok(olderClusterServers(house)),
    },
    {
      ...VIEW,
      path: '/dvr_status/{year}/{month}/{day}/{+name}',
      id: 'older_dvr_status',
      summary: 'What is recorded of one day',
      replies: { 200: { description: 'Blocks of the archive', schema: jsonSchemaOf(olderDvrStatusSchema) } },
      handle: ({ params }) =>
        ok(olderDvrStatus(house, nameOf(params), [params['year'] ?? '', params['month'] ?? '', params['day'] ?? ''])),
    },
    {
      ...EDIT,
      path: '/dvr/delete',
      id: 'older_dvr_delete',
      summary: 'Removes a stretch of an archive',
      body: { schema: jsonSchemaOf(olderDvrDeleteSchema) },
      replies: { 200: { description: 'It is gone', schema: jsonSchemaOf(olderTrueSchema) } },
      handle: ({ body }) => ok(olderDvrDelete(house, bodyOf(olderDvrDeleteSchema, body))),
    },
    ...action(
      '/dvr_enable/{+name}',
      'older_dvr_enable',
      'Switches the recording of a stream on',
      olderTrueSchema,
      ({ params }) => ok(olderDvrSwitch(house, nameOf(params))),
    ),
    ...action(
      '/dvr_disable/{+name}',
      'older_dvr_disable',
      'Switches the recording of a stream off',
      olderTrueSchema,
      ({ params }) => ok(olderDvrSwitch(house, nameOf(params))),
    ),
  ];
}
