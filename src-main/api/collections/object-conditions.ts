import { flag } from '../endpoints/query-flag.ts';
import type { EndpointRequest } from '../endpoints/endpoint.ts';
import type { JsonObject } from '../objects/object-source.ts';
import type { Collection } from './collection.ts';
import { entityTag, requireMatch } from './entity-tag.ts';
import { readObjectBody } from './object-body.ts';

/** Whether a request only tries a change (`?validate=true`). */
export function isDryRun(request: EndpointRequest): boolean {
  return flag(request, 'validate');
}

/** The name that a body says; one of another type than text is ignored nowhere. */
/** The tag of an object as it is shown. */
export function tagOf(
  { schema, key, unmasked }: Pick<Collection, 'schema' | 'key' | 'unmasked'>,
  shown: JsonObject,
): string {
  const name = shown[key];
  return entityTag(readObjectBody(shown, schema), typeof name === 'string' ? unmasked?.(name) : undefined);
}

/** What raises `precondition_failed` while an object is not as a request wants it; undefined where the request does not care. */
export function precondition<Row>(
  collection: Collection<Row>,
  request: EndpointRequest,
  wanted: string,
): (() => void) | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return () => {
    const row = collection.source.find(wanted);
    requireMatch(request, row === undefined ? undefined : tagOf(collection, collection.source.object(row)));
  };
}
