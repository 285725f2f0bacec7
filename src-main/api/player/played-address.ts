import type { ErrorStatus } from '../../../src-preload/contract/operations/operation.ts';
import type { EndpointDoc, ParameterDoc, ReplyDoc } from '../endpoints/endpoint.ts';

/** Address that players request, below a stream or a file. */
export interface PlayedAddress {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly reply: ReplyDoc;
  readonly parameters: readonly ParameterDoc[];
  /** Error statuses besides 403. */
  readonly errors: readonly ErrorStatus[];
}

/** Row of a table of addresses. @param errors default: 404 */
export function address(
  path: string,
  id: string,
  summary: string,
  reply: ReplyDoc,
  parameters: readonly ParameterDoc[],
  errors: readonly ErrorStatus[] = [404],
): PlayedAddress {
  return { path, id, summary, reply, parameters, errors };
}

export function fileReply(type: string, description = 'The manifest', otherTypes?: readonly string[]): ReplyDoc {
  return { description, schema: { type: 'string' }, type, ...(otherTypes ? { otherTypes } : {}) };
}

/** Description of an address. @param what kind of object to which the address belongs */
export function addressDoc(
  { path, id, summary, reply, parameters, errors }: PlayedAddress,
  common: readonly ParameterDoc[],
  what: 'stream' | 'location' = 'stream',
): EndpointDoc {
  return {
    method: 'GET',
    path: `/{name}/${path}`,
    id,
    tag: what === 'stream' ? 'playback' : 'playback of files',
    access: 'public',
    summary,
    description: `${summary}. A ${what} with an authorization backend or a signing key takes a token or a signed address.`,
    parameters: [...common, ...parameters],
    replies: { 200: reply },
    errors: [...new Set<ErrorStatus>([403, ...errors])].sort((a, b) => a - b),
  };
}
