import { VOD_FILES_MAX, vodFileObjectSchema } from '../../../src-preload/contract/api/vod-file-object.ts';
import type { Answer, Endpoint, EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { jsonSchemaOf } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { parameter } from '../endpoints/query-flag.ts';
import { WholeObjects, type JsonObject } from '../objects/object-source.ts';
import { folderObjects, openFileObjects } from '../objects/vod-file-objects.ts';
import type { Collection } from './collection.ts';
import type { CollectionContext } from './collection-context.ts';
import { listHandler } from './list-endpoint.ts';
import { listParameters } from './list-parameters.ts';

const SCHEMA = jsonSchemaOf(vodFileObjectSchema);

/** The files that were played lately: those whose indexes are in memory. */
export function openFilesCollection(context: CollectionContext): Collection<JsonObject> {
  return {
    ...{ path: '/vods/opened_files', name: 'files', item: 'vod_file', key: 'name', missing: 'vod_file_not_found' },
    schema: SCHEMA,
    isScoped: true,
    implicitSort: ['name'],
    source: new WholeObjects('name', () => openFileObjects(context)),
  };
}

const ROW = {
  ...{ tag: 'files', method: 'GET', access: 'view', parameters: listParameters(SCHEMA), errors: [404] },
  replies: { 200: { description: 'A portion, in its envelope', schema: schemaRef('vod_file_list') } },
} as const satisfies Partial<Endpoint>;
const SUBPATH: ParameterDoc = {
  ...{ name: 'subpath', schema: { type: 'string' } },
  in: 'path',
  description: 'the folder below the storage; a slash may be written as it is',
};
const PATH = '/vods/{prefix}/storages/{index}/files';

/** The folders of VOD locations. */
export function vodFileEndpoints(context: CollectionContext): readonly Endpoint[] {
  const description = `The first ${VOD_FILES_MAX} by name; with \`name_gt\` those behind a name. Hidden files, and links that lead out of the storage, are not there.`;
  return [
    {
      ...{ ...ROW, id: 'vod_root_list', path: PATH, description },
      summary: 'Lists a storage of a VOD location',
      handle: (request) => listed(context, request, ''),
    },
    {
      ...{ ...ROW, id: 'vod_folder_list', path: `${PATH}/{+subpath}`, description },
      parameters: [SUBPATH, ...ROW.parameters],
      summary: 'Lists a folder of a VOD location',
      handle: (request) => listed(context, request, request.params['subpath'] ?? ''),
    },
  ];
}

async function listed(context: CollectionContext, request: EndpointRequest, subpath: string): Promise<Answer> {
  const { prefix = '', index = '' } = request.params;
  const after = parameter(request, 'name_gt') ?? '';
  const objects = await folderObjects(context, { prefix, index, subpath, after });
  const collection = { ...openFilesCollection(context), source: new WholeObjects('name', () => objects) };
  return listHandler(collection, `files ${prefix} ${index} ${subpath}`)(request);
}
