import type { ErrorCode } from '../../../src-preload/contract/index.ts';
import { ERRORS } from '../../../src-preload/contract/index.ts';
import type { ErrorStatus } from '../../../src-preload/contract/operations/operation.ts';
import type { EndpointDoc } from './endpoint.ts';
import type { JsonObject } from './json-schema.ts';

/** Name of the error schema in the document. */
export const ERROR_SCHEMA = 'error';

/** Description of each status, and an example of an error that has it. */
const STATUSES: Readonly<Record<ErrorStatus, { readonly description: string; readonly code: ErrorCode }>> = {
  400: { description: 'A parameter or the body is invalid or too large', code: 'bad_query' },
  401: { description: 'Login and password, or the token, are missing or wrong', code: 'unauthorized' },
  403: { description: 'The caller may not do this', code: 'forbidden' },
  404: { description: 'The object in the address does not exist', code: 'stream_not_found' },
  409: { description: 'The request conflicts with the current state', code: 'stream_exists' },
  412: { description: 'The object does not match If-Match or If-None-Match', code: 'precondition_failed' },
  413: { description: 'The body is longer than the limit', code: 'request_too_large' },
  415: { description: 'This type of body or file is not supported', code: 'unsupported_media_type' },
  422: { description: 'The object is damaged and cannot be read', code: 'vod_file_damaged' },
  424: { description: 'The stream has no recent frames', code: 'stream_no_frames' },
  429: { description: 'Too many wrong logins came from this address', code: 'too_many_attempts' },
  502: { description: 'The other server or the source failed', code: 'input_unreachable' },
  503: { description: 'The server cannot do this at the moment; try again later', code: 'unavailable' },
  504: { description: 'The other server or the source did not answer in time', code: 'input_timed_out' },
  507: { description: 'The disk is full', code: 'disk_full' },
};

/** Error responses that operations refer to, by name. */
export const ERROR_RESPONSES: JsonObject = Object.fromEntries([
  ...Object.entries(STATUSES).map(([status, { description, code }]) => [
    `error_${status}`,
    errorResponse(description, {
      errors: [{ code, status, title: ERRORS[code].title }],
      error: code,
    }),
  ]),
  ['error', errorResponse('Any other error')],
]) as JsonObject;

/** References to the errors that an operation may answer with. */
export function errorReplies(endpoint: EndpointDoc): JsonObject {
  const named = errorStatuses(endpoint).map((status) => [String(status), refTo(`error_${status}`)]);
  return Object.fromEntries([...named, ['default', refTo('error')]]) as JsonObject;
}

function errorStatuses({
  method,
  access,
  path,
  parameters = [],
  body,
  errors = [],
}: EndpointDoc): readonly ErrorStatus[] {
  const isOpen = access === 'probe' || access === 'public';
  const hasCondition =
    method !== 'GET' && parameters.some(({ name }) => name === 'If-Match' || name === 'If-None-Match');
  const statuses = new Set<ErrorStatus>([
    // 400: query parameters that the operation does not have.
    400,
    ...(isOpen ? [] : ([401, 403, 429] as const)),
    ...(path.includes('{') ? ([404] as const) : []),
    ...(hasCondition ? ([412] as const) : []),
    // 507: changes are stored, and the disk may be full.
    ...(method === 'GET' || isOpen ? [] : ([507] as const)),
    // 409: a change may conflict with the configuration in force, or with the file.
    ...(access === 'edit' ? ([409] as const) : []),
    ...(body ? ([413, 415] as const) : []),
    ...errors,
    503,
  ]);
  return [...statuses].sort((a, b) => a - b);
}

function errorResponse(description: string, example?: JsonObject): JsonObject {
  const schema = { $ref: `#/components/schemas/${ERROR_SCHEMA}` };
  return { description, content: { 'application/json': { schema, ...(example ? { example } : {}) } } };
}

function refTo(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}
