import { createHmac, randomBytes } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import type { JsonObject } from '../endpoints/json-schema.ts';

/** New with each start: without it a client cannot find a secret by trying values until the tag matches. */
const KEY = randomBytes(32);

/**
 * The tag of an object (RFC 9110 section 8.8.3), for as long as the server runs.
 *
 * @param settings what can be written of it: its state changes all the time and does not count
 * @param unmasked the same with its secrets, so that a change of one alone is another tag; undefined where there are none
 */
export function entityTag(settings: JsonObject, unmasked: object | undefined): string {
  const text = JSON.stringify([settings, unmasked ?? null]);
  return `"${createHmac('sha256', KEY).update(text).digest('base64url').slice(0, 22)}"`;
}

/** Raises `precondition_failed` unless an object is as `If-Match` and `If-None-Match` want it (RFC 9110 section 13.1). @param tag undefined while there is no object */
export function requireMatch({ headers }: Pick<EndpointRequest, 'headers'>, tag: string | undefined): void {
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers;
  const isRefused =
    (wanted !== undefined && !names(wanted, tag)) ||
    (unwanted !== undefined && names(unwanted.replaceAll('W/', ''), tag));
  if (isRefused)
    throw new AirdeskError(
      'precondition_failed',
      tag === undefined ? 'There is no such object' : 'The object is another one by now; read it again',
      { parameter: wanted === undefined ? 'If-None-Match' : 'If-Match' },
    );
}

function names(header: string, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim() === tag);
}

/** What writes may be bound to. */
export const PRECONDITIONS: readonly ParameterDoc[] = [
  {
    name: 'If-Match',
    in: 'header',
    description: 'the ETag of the object as it was read: if it was changed since, nothing is done (412)',
    schema: { type: 'string' },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: '*: the object is made only where there is none (412)',
    schema: { type: 'string' },
  },
];
