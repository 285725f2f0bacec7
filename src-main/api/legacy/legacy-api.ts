import type { ApiContext } from '../api-context.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { OLDER_PREFIXES } from '../prefixes.ts';
import { serverEndpoints } from './server-endpoints.ts';
import { streamEndpoints } from './stream-endpoints.ts';

/** The older API, but for the rows that read and write the configuration. */
export function legacyApi(context: ApiContext): Api {
  return { prefixes: OLDER_PREFIXES, endpoints: [...serverEndpoints(context), ...streamEndpoints(context)] };
}
