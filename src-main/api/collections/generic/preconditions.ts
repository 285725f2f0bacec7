import { createHmac, randomBytes } from 'node:crypto';
import { AirdeskError } from '../../../../src-preload/contract/index.ts';
import type { BodySchema, EndpointRequest, ParameterDoc, ReplyDoc } from '../../endpoints/endpoint.ts';
import type { JsonObject } from '../../objects/object-source.ts';
import type { Collection } from './collection.ts';
import { readObjectBody } from './object-body.ts';
import { inHeader } from '../../endpoints/parameters.ts';

/** Key of tags, new with each start. Without a key, a client could guess a secret by trying values until the tag matches. */
const KEY = randomBytes(32);

/** Tag with the values from which it was computed. */
interface KnownTag {
  readonly origin: readonly unknown[];
  readonly tag: string;
}

/** Tags by the settings object, which every change replaces. */
const TAGS = new WeakMap<object, KnownTag>();

/**
 * ETag of an object as shown (RFC 9110 section 8.8.3), valid until the server ends. The running state does not change the tag,
 * because it changes all the time. A change of a secret alone changes the tag.
 */
export function tagOf<Row>(
  { schema, key, source, unmasked }: Pick<Collection<Row>, 'schema' | 'key' | 'source' | 'unmasked'>,
  row: Row,
): string {
  const settings = source.origin?.(row);
  if (!settings) {
    const shown = source.object(row);
    return tagOfObject(shown, schema, secretsOf(shown[key], unmasked));
  }
  const secrets = secretsOf(source.getter(key)(row), unmasked);
  const origin = [...settings, secrets];
  const cached = TAGS.get(settings[0]);
  if (cached && origin.every((value, index) => value === cached.origin[index])) return cached.tag;
  const tag = tagOfObject(source.object(row), schema, secrets);
  TAGS.set(settings[0], { origin, tag });
  return tag;
}

function secretsOf(name: unknown, unmasked: Collection['unmasked']): object | undefined {
  return typeof name === 'string' ? unmasked?.(name) : undefined;
}

/** ETag of an object's writable part, with its secrets. */
export function tagOfObject(shown: JsonObject, schema: BodySchema, secrets: object | undefined): string {
  return tagOfJson([readObjectBody(shown, schema), secrets ?? null]);
}

/** ETag of a JSON value, for objects that cannot be written. */
export function tagOfJson(value: unknown): string {
  return `"${createHmac('sha256', KEY).update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`;
}

/**
 * Creates a check that raises `precondition_failed` while the object does not match the condition of the request; undefined if
 * the request has no condition.
 */
export function precondition<Row>(
  collection: Collection<Row>,
  request: EndpointRequest,
  expected: string,
): (() => void) | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return () => {
    const row = collection.source.find(expected);
    requireMatch(request, row === undefined ? undefined : tagOf(collection, row));
  };
}

/**
 * Raises `precondition_failed` unless an object matches `If-Match` and `If-None-Match` (RFC 9110 section 13.1).
 * @param tag tags of the object, one for each representation; undefined while there is no object
 */
export function requireMatch(
  { headers }: Pick<EndpointRequest, 'headers'>,
  tag: string | readonly string[] | undefined,
): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const isRefused =
    (ifMatch !== undefined && !names(ifMatch, tag)) ||
    (ifNoneMatch !== undefined && names(ifNoneMatch.replaceAll('W/', ''), tag));
  if (isRefused)
    throw new AirdeskError(
      'precondition_failed',
      tag === undefined ? 'The object does not exist' : 'The object was changed meanwhile; read it again',
      { parameter: ifMatch === undefined ? 'If-None-Match' : 'If-Match' },
    );
}

function names(header: string, tag: string | readonly string[] | undefined): boolean {
  if (tag === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || [tag].flat().includes(part.trim()));
}

/** Header of requests for an object that the client may already have. */
export const IF_NONE_MATCH: ParameterDoc = inHeader(
  'If-None-Match',
  'ETags of earlier answers: if the object still has one of them, the answer is 304 without a body',
);

/** Answer to a client that already has the object. */
export const NOT_MODIFIED: ReplyDoc = { description: 'The object still has one of the ETags in If-None-Match' };

/** Conditions of writes. */
export const PRECONDITIONS: readonly ParameterDoc[] = [
  inHeader(
    'If-Match',
    'the ETag of the object as it was read: if it was changed since, the request has no effect (412)',
  ),
  inHeader('If-None-Match', '*: the object is created only if it does not exist (412 otherwise)'),
];
