import { VOD_FILES_MAX, vodFileObjectSchema } from '../../../src-preload/contract/api/vod-file-object.ts';
import { badParameter } from '../../../src-preload/contract/errors.ts';
import type { Answer, Endpoint, EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { flag, parameter } from '../endpoints/query-flag.ts';
import { jsonObjects, type JsonObject } from '../objects/object-source.ts';
import { folderObjects, openFileObjects, putFile, type NamedFile } from './vod-file-objects.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';
import { listHandler } from './generic/list-endpoint.ts';
import { listParameters } from './generic/list-parameters.ts';
import { inPath, inQuery } from '../endpoints/parameters.ts';

/** Recently played files, whose indexes are in memory, as a collection. */
export function openFilesCollection(context: CollectionContext): Collection<JsonObject> {
  return {
    path: '/vods/opened_files',
    name: 'files',
    item: 'vod_file',
    key: 'name',
    missing: 'vod_file_not_found',
    schema: vodFileObjectSchema,
    isScoped: true,
    implicitSort: ['name'],
    source: jsonObjects('name', () => openFileObjects(context)),
  };
}

const ROW = {
  tag: 'files',
  method: 'GET',
  access: 'view',
  errors: [404],
  readsQuery: true,
  replies: { 200: { description: 'A page, in its envelope', schema: schemaRef('vod_file_list') } },
} as const satisfies Partial<Endpoint>;
const SUBPATH: ParameterDoc = inPath('subpath', 'the folder below the storage; slashes need no encoding');
const OVERWRITE: ParameterDoc = inQuery(
  'overwrite',
  'whether a file of the same name is replaced; otherwise the answer is 409',
  { type: 'boolean' },
);
const PATH = '/vods/{prefix}/storages/{index}/files';

/** Folders of VOD locations. */
export function vodFileEndpoints(context: CollectionContext): readonly Endpoint[] {
  const description = `The first ${VOD_FILES_MAX} by name; with \`name_gt\` those after a name. Hidden files, and links that lead out of the storage, are left out.`;
  return [
    {
      ...ROW,
      id: 'vod_root_list',
      path: PATH,
      description,
      get parameters() {
        return listParameters(vodFileObjectSchema);
      },
      summary: 'Lists a storage of a VOD location',
      handle: (request) => listed(context, request, ''),
    },
    {
      ...ROW,
      id: 'vod_folder_list',
      path: `${PATH}/{+subpath}`,
      description,
      get parameters() {
        return [SUBPATH, ...listParameters(vodFileObjectSchema)];
      },
      summary: 'Lists a folder of a VOD location',
      handle: (request) => listed(context, request, request.params['subpath'] ?? ''),
    },
    {
      id: 'vod_file_put',
      tag: 'files',
      method: 'PUT',
      path: `${PATH}/{+subpath}`,
      access: 'operate',
      summary: 'Uploads a file to a storage of a VOD location',
      description:
        'The body is the file, of any type, with or without Content-Length. The folder must exist. The file gets its name when it is complete; an interrupted upload leaves nothing.',
      parameters: [{ ...SUBPATH, description: 'path of the file below the storage' }, OVERWRITE],
      body: { schema: { type: 'string', format: 'binary' }, types: ['application/octet-stream'], isStream: true },
      errors: [404, 409, 507],
      replies: {
        200: { description: 'The file; it replaced an existing one', schema: schemaRef('vod_file') },
        201: { description: 'The new file', schema: schemaRef('vod_file') },
      },
      handle: (request) => upload(context, request),
    },
  ];
}

async function upload(context: CollectionContext, request: EndpointRequest): Promise<Answer> {
  const { params, headers, stream } = request;
  if (!stream) throw badParameter('request_body', 'The request has no body', 'bad_request');
  const isChunked = headers['transfer-encoding'] !== undefined;
  const sizeBytes = isChunked ? undefined : Number(headers['content-length'] ?? 0);
  const facts = { sizeBytes, mayReplace: flag(request, 'overwrite') };
  const { object, hasReplaced } = await putFile(context, named(params), facts, stream);
  return { status: hasReplaced ? 200 : 201, body: object };
}

function named({ prefix = '', index = '', subpath = '' }: EndpointRequest['params']): NamedFile {
  return { prefix, index, subpath };
}

async function listed(context: CollectionContext, request: EndpointRequest, subpath: string): Promise<Answer> {
  const { prefix = '', index = '' } = request.params;
  const after = parameter(request, 'name_gt') ?? '';
  const objects = await folderObjects(context, { prefix, index, subpath, after });
  const collection = { ...openFilesCollection(context), source: jsonObjects('name', () => objects) };
  return listHandler(collection, `files ${prefix} ${index} ${subpath}`)(request);
}
