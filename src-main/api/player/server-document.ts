import type { EndpointDoc, ParameterDoc } from '../endpoints/endpoint.ts';
import type { JsonSchema } from '../endpoints/json-schema.ts';
import type { DescribedApi } from '../endpoints/open-api.ts';
import { DOWNLOAD_PREFIX, UPLOAD_PREFIX } from '../http/prefixes.ts';
import { inPath } from '../endpoints/parameters.ts';

const TEXT: JsonSchema = { type: 'string' };
const TICKET: ParameterDoc = inPath('ticket', 'permission to use the address, from another answer');
const COMMON = { tag: 'server', access: 'public' } as const;

const TIME: EndpointDoc = {
  ...COMMON,
  method: 'GET',
  path: '/-/time',
  id: 'server_time',
  summary: 'Time of the server, for the clocks of players (UTCTiming)',
  replies: { 200: { description: 'ISO 8601 in UTC', schema: TEXT, type: 'text/plain' } },
};
const DOWNLOAD: EndpointDoc = {
  ...COMMON,
  method: 'GET',
  path: `${DOWNLOAD_PREFIX}{ticket}`,
  id: 'export_download',
  parameters: [TICKET],
  summary: 'File of an export, complete or by byte ranges',
  description: 'Target of the redirects of `/dvr_export_jobs/{id}/files/{number}` and `files.tar`. Valid for an hour.',
  replies: {
    200: { description: 'The file', schema: TEXT, type: 'application/octet-stream' },
    206: { description: 'The range that `Range` asked for', schema: TEXT, type: 'application/octet-stream' },
  },
  errors: [404],
};
const UPLOAD: EndpointDoc = {
  ...COMMON,
  method: 'PUT',
  path: `${UPLOAD_PREFIX}{ticket}`,
  id: 'vod_upload',
  parameters: [TICKET],
  summary: 'Receives a file for a VOD location',
  description: 'The desk announces the file and gets the ticket, which is valid for one upload within 30 s.',
  body: { schema: TEXT, types: ['application/octet-stream'], isStream: true },
  replies: { 201: { description: 'The file is in its location', schema: { type: 'object' } } },
  errors: [404, 503, 507],
};

/** Addresses of the server that are not in the tables of endpoints, for the document. */
export const SERVER_ADDRESSES: DescribedApi = { prefixes: [''], endpoints: [TIME, DOWNLOAD, UPLOAD] };
