import { randomBytes } from 'node:crypto';
import { AirdeskError, badParameter } from '../../../src-preload/contract/index.ts';
import type { ChangeOptions } from '../../configuration/configuration-change.ts';
import { PRECONDITIONS, requireMatch } from '../collections/generic/preconditions.ts';
import type { ConfigDocument } from '../../config/document.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { isDryRun, VALIDATE } from '../endpoints/change-answer.ts';
import type { EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { flag, integerOf, parameter } from '../endpoints/query-flag.ts';
import type { Json as JsonValue } from '../endpoints/json-schema.ts';
import { parseJsonInSteps } from '../endpoints/parse-json.ts';
import { runInTurns } from '../../lib/turns.ts';
import { inQuery } from '../endpoints/parameters.ts';

/** Maximum probation that a request may ask for, in seconds. */
const MAX_CONFIRM_SECONDS = 86_400;
/** Maximum number of versions on a page of the list. */
export const MAX_VERSIONS = 1000;

/** Parameters of every request that applies a configuration. */
export const CHANGE_PARAMETERS: readonly ParameterDoc[] = [
  inQuery(
    'confirm_within',
    `Seconds after which the change is rolled back unless it is confirmed, 1 to ${MAX_CONFIRM_SECONDS}; 600 without a value. Without the parameter the change is permanent.`,
    { type: 'integer' },
  ),
  inQuery(
    'overwrite',
    'Whether a file with mistakes, or one that was changed on disk since it was read, may be overwritten. A copy of it is kept in the same folder.',
    { type: 'boolean' },
  ),
  ...PRECONDITIONS.slice(0, 1),
  VALIDATE,
];

/** Representations of the configuration. Each has its own ETag (RFC 9110 section 8.8.3.3). */
const FORMS = ['json', 'full', 'text'] as const;

const TAGS = new WeakMap<ConfigDocument, string>();

/**
 * ETags of a configuration in all its representations. Every change creates a new document. Tags are valid until the server
 * ends.
 */
function configTags(document: ConfigDocument): readonly string[] {
  return FORMS.map((form) => configTag(document, form));
}

/** ETag of one representation of a configuration. */
export function configTag(document: ConfigDocument, form: (typeof FORMS)[number]): string {
  const id = TAGS.get(document) ?? randomBytes(12).toString('base64url');
  TAGS.set(document, id);
  return `"${id}-${form}"`;
}

const DEFAULT_CONFIRM_SECONDS = 600;

/** Options of a request that control how its change is applied. */
export function changeOptions(
  request: Pick<EndpointRequest, 'query' | 'headers'>,
  configuration: Pick<Configuration, 'document'>,
): ChangeOptions {
  const within = parameter(request, 'confirm_within');
  return {
    ...(within === undefined
      ? {}
      : {
          confirmWithinMs:
            1000 * (within === '' ? DEFAULT_CONFIRM_SECONDS : integer(within, 'confirm_within', MAX_CONFIRM_SECONDS)),
        }),
    overwritesFile: flag(request, 'overwrite'),
    isDryRun: isDryRun(request),
    check: () => {
      requireMatch(request, configTags(configuration.document));
    },
  };
}

/** Parses a positive whole number; raises `bad_request`. */
export function integer(text: string, name: string, max = Number.MAX_SAFE_INTEGER): number {
  return integerOf(text, name, { min: 1, max }, 'bad_request');
}

export function versionId({ params }: Pick<EndpointRequest, 'params'>): number {
  return integer(params['id'] ?? '', 'id');
}

/** Whether the caller prefers text to JSON. */
export function wantsText({ headers }: Pick<EndpointRequest, 'headers'>): boolean {
  const accept = headers.accept ?? '';
  const text = accept.indexOf('text/plain');
  const json = accept.indexOf('application/json');
  return text >= 0 && (json < 0 || text < json);
}

/** Media types of a configuration. Command line tools send it as a form by default. */
export const CONFIG_TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
] as const;
/** Maximum size of a body with a configuration, in bytes. */
export const CONFIG_LIMIT_BYTES = 16 * 1024 * 1024;

export type ConfigBody = { readonly json: JsonValue; readonly text?: undefined } | { readonly text: string };

/** Parses the body of a request, as JSON or as text of the configuration. Raises `bad_request`. */
export async function configBody({ headers, body }: Pick<EndpointRequest, 'headers' | 'body'>): Promise<ConfigBody> {
  // The JSON parser created this value.
  if (typeof body !== 'string') return { json: (body ?? null) as JsonValue };
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'application/json';
  if (type === 'application/json') throw new AirdeskError('bad_request', 'An object is expected', { pointer: '' });
  const isJson = type !== 'text/plain' && body.trimStart().startsWith('{');
  return isJson ? { json: (await runInTurns(parseJsonInSteps(body))) as JsonValue } : { text: body };
}

export function textBody({ body }: Pick<EndpointRequest, 'body'>): string {
  if (typeof body !== 'string')
    throw badParameter('request_body', 'The body is the text of a configuration, not JSON', 'bad_request');
  return body;
}
