import { spliceInsertSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import { caseItemSchema, caseItemsSchema } from '../../../src-preload/contract/api/archive/case-object.ts';
import { errorObjectSchema } from '../../../src-preload/contract/api/error-object.ts';
import { signedAddressRequestSchema } from '../../../src-preload/contract/api/signed-address.ts';
import { ALARM_OPERATIONS } from '../../../src-preload/contract/operations/alarms.ts';
import { ARCHIVE_OPERATIONS } from '../../../src-preload/contract/operations/archive-operations.ts';
import { CASE_ACTIONS, CASE_OPERATIONS } from '../../../src-preload/contract/operations/cases.ts';
import { CLIP_OPERATIONS, VOD_FILE_OPERATIONS } from '../../../src-preload/contract/operations/clip-calls.ts';
import { WALL_CALLS } from '../../../src-preload/contract/operations/wall-calls.ts';
import { PEOPLE_OPERATIONS } from '../../../src-preload/contract/operations/people.ts';
import { SESSION_OPERATIONS } from '../../../src-preload/contract/operations/session-calls.ts';
import { STREAM_ACTIONS, STREAM_OPERATIONS } from '../../../src-preload/contract/operations/streams.ts';
import { alarmOperations } from '../../control/alarms/alarm-operations.ts';
import { archiveOperations } from '../../control/archive/archive-operations.ts';
import { caseActions, caseOperations } from '../../control/archive/case-operations.ts';
import { clipOperations, vodFileOperations } from '../../control/clips/clip-calls.ts';
import { sessionOperations } from '../../control/sessions/session-calls.ts';
import { streamActions, streamOperations } from '../../control/stream-operations.ts';
import { wallOperations } from '../../control/walls/wall-operations.ts';
import { peopleOperations } from '../../control/system/people-operations.ts';
import { endpointsOf, operationSchemas } from '../endpoints/operation-endpoints.ts';
import type { Api, Endpoint, BodySchema } from '../endpoints/endpoint.ts';
import { ERROR_SCHEMA } from '../endpoints/error-responses.ts';
import { CachedBody } from '../endpoints/cached-body.ts';
import { openApiDocument, type DescribedApi } from '../endpoints/open-api.ts';
import { COLLECTION_PREFIXES } from '../http/prefixes.ts';
import { ALARM_SCHEMAS, alarmEndpoints, loudnessEndpoint } from './alarm-endpoints.ts';
import { AS_RUN_SCHEMAS, asRunEndpoints } from './as-run-endpoints.ts';
import type { Collection } from './generic/collection.ts';
import { collectionSchemas } from './generic/collection-schemas.ts';
import type { CollectionContext } from './collection-context.ts';
import { collections } from './collections.ts';
import { episodeEndpoints } from './episode-endpoints.ts';
import { singleBlockEndpoints, singleBlockSchemas } from './single-block-endpoints.ts';
import { singleObjects } from './single-objects.ts';
import { exportEndpoints } from './export-endpoints.ts';
import { IdempotentAnswers } from '../endpoints/idempotent-answers.ts';
import { listEndpoint } from './generic/list-endpoint.ts';
import { objectEndpoint } from './generic/object-endpoint.ts';
import { PROBE_SCHEMAS, probeEndpoints } from './probe-endpoints.ts';
import { SECRET_SCHEMAS, secretEndpoint } from './secret-endpoints.ts';
import { openFilesCollection, vodFileEndpoints } from './vod-file-endpoints.ts';
import { writeEndpoints } from './generic/write-endpoints.ts';

/** Endpoints that other parts of the server handle and that the same document lists. */
export interface DescribedElsewhere {
  /** Endpoints under the prefixes of the collection API. */
  readonly here: DescribedApi['endpoints'];
  /** Endpoints under other prefixes. */
  readonly others: readonly DescribedApi[];
}

/** Collection API with the document of all HTTP APIs. */
export function collectionApi(context: CollectionContext, elsewhere: DescribedElsewhere): Api {
  return { prefixes: COLLECTION_PREFIXES, endpoints: collectionEndpoints(context, elsewhere) };
}

function collectionEndpoints(context: CollectionContext, elsewhere: DescribedElsewhere): readonly Endpoint[] {
  // A collection passes rows only to its own source, so their types need not match.
  const all = [...collections(context), openFilesCollection(context) as Collection];
  const idempotent = new IdempotentAnswers(context.clock, context.answerRepository);
  const singles = singleObjects(context);
  const endpoints: Endpoint[] = [
    ...all.flatMap((collection) => [
      listEndpoint(collection),
      objectEndpoint(collection),
      ...writeEndpoints(collection, idempotent),
    ]),
    ...vodFileEndpoints(context),
    ...endpointsOf(STREAM_ACTIONS, streamActions(context), { tag: 'streams' }),
    ...endpointsOf(STREAM_OPERATIONS, streamOperations(context), { tag: 'streams', idempotent }),
    ...endpointsOf(SESSION_OPERATIONS, sessionOperations(context), { tag: 'sessions' }),
    ...asRunEndpoints(context),
    ...alarmEndpoints(context),
    ...endpointsOf(ALARM_OPERATIONS, alarmOperations(context), { tag: 'alarms' }),
    loudnessEndpoint(context),
    ...endpointsOf(WALL_CALLS, wallOperations(context), { tag: 'walls' }),
    ...endpointsOf(PEOPLE_OPERATIONS, peopleOperations(context), { tag: 'people' }),
    ...endpointsOf(ARCHIVE_OPERATIONS, archiveOperations(context), { tag: 'streams' }),
    ...episodeEndpoints(context, idempotent),
    ...endpointsOf(CASE_OPERATIONS, caseOperations(context), { tag: 'dvr_cases' }),
    ...endpointsOf(CASE_ACTIONS, caseActions(context), { tag: 'dvr_cases' }),
    secretEndpoint(context),
    ...singles.flatMap((single) => singleBlockEndpoints(context, single)),
    ...probeEndpoints(context),
    ...exportEndpoints(context, idempotent),
    ...endpointsOf(CLIP_OPERATIONS, clipOperations(context), { tag: 'jobs', idempotent }),
    ...endpointsOf(VOD_FILE_OPERATIONS, vodFileOperations(context), { tag: 'files' }),
  ];
  const schemas = (): Readonly<Record<string, BodySchema>> =>
    Object.assign(
      { [ERROR_SCHEMA]: errorObjectSchema },
      operationSchemas(STREAM_OPERATIONS),
      { splice_insert: spliceInsertSchema },
      operationSchemas(STREAM_ACTIONS),
      { signed_address_request: signedAddressRequestSchema },
      operationSchemas(SESSION_OPERATIONS),
      AS_RUN_SCHEMAS,
      ALARM_SCHEMAS,
      operationSchemas(WALL_CALLS),
      operationSchemas(PEOPLE_OPERATIONS),
      operationSchemas(ARCHIVE_OPERATIONS),
      { dvr_case_item: caseItemSchema, dvr_case_items: caseItemsSchema },
      SECRET_SCHEMAS,
      ...singles.map(singleBlockSchemas),
      PROBE_SCHEMAS,
      ...all.map(collectionSchemas),
    ) as Readonly<Record<string, BodySchema>>;
  // The document never changes, so it is created at the first request and cached.
  let document: CachedBody | undefined;
  const show = (): CachedBody =>
    (document ??= new CachedBody(
      openApiDocument({
        title: 'Airdesk',
        version: context.describe().version,
        main: { prefixes: COLLECTION_PREFIXES, endpoints: [...endpoints, ...elsewhere.here] },
        others: elsewhere.others,
        schemas: schemas(),
      }),
    ));
  for (const path of ['/schema', '/schema.json']) {
    endpoints.push({
      id: path === '/schema' ? 'schema_get' : 'schema_json_get',
      tag: 'schema',
      method: 'GET',
      path,
      access: 'probe',
      summary: 'This document',
      replies: { 200: { description: 'OpenAPI 3.1', schema: { type: 'object', additionalProperties: true } } },
      handle: () => {
        const body = show();
        // Clients check with each use whether the document is current, because an update of the server changes it.
        return { status: 200, body, headers: { etag: body.etag, 'cache-control': 'no-cache' } };
      },
    });
  }
  return endpoints;
}
