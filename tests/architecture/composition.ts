/** Files that only combine others and may import more than 12 files, each with the reason. */
export const COMPOSITION: Readonly<Record<string, string>> = {
  'src-main/api/collections/collection-api.ts': 'joins the endpoints of the collection API with its document',
  'src-main/api/collections/collections.ts': 'the list of the collections, each with its schema and source',
  'src-main/api/endpoints/add-endpoints.ts':
    'joins the paths, the access, the bodies and the answers of endpoints to routes',
  'src-main/api/http-apis.ts': 'the list of the HTTP APIs',
  'src-main/api/http-app.ts': 'joins hooks, APIs, files and the bridge to one HTTP application',
  'src-main/api/subscribers/subscriber-api.ts': 'joins the endpoints of the API of subscribers',
  'src-main/api/native/list-endpoints.ts': 'the list of the native lists, made of parts of the collections',
  'src-main/configuration/configuration.ts':
    'joins the parts of the configuration, each with one job, to what the server calls',
  'src-main/control/desk-calls.ts': 'the list of the calls of the desk, each with its use case',
  'src-main/delivery/answers/media-answers.ts': 'the table of the kinds of media addresses, each with its answer',
  'src-main/engine/engine.ts': 'joins the media threads, their streams and their players to what the server calls',
  'src-main/engine/media-thread.ts': 'joins the parts of a media thread, each with one job',
  'src-main/engine/messages.ts': 'the table of the messages of media threads',
  'src-main/engine/thread-inputs.ts': 'makes what the inputs of a thread share',
  'src-main/streams/streams.ts': 'joins the parts of the streams, each with one job, to what the server calls',
  'src-preload/contract/calls.ts': 'the table of the calls of the desk',
  'src-renderer/modules/streams/StreamDetails.vue': 'puts the sections of the details of a stream together',
  'src-renderer/modules/wall/tile/WallTile.vue': 'puts the parts of a tile together',
  'src-renderer/shell/desk-modules.ts': 'the list of the modules of the desk',
  'src-main/desktop/index.ts': 'the entry of the window',
};
