import type { ApiContext } from '../endpoints/api-context.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { LEGACY_PREFIXES } from '../http/prefixes.ts';
import { archiveEndpoints } from './archive-endpoints.ts';
import { serverEndpoints } from './server-endpoints.ts';
import { streamEndpoints } from './stream-endpoints.ts';

/** Legacy API without the endpoints of the configuration. */
export function legacyApi(context: ApiContext): Api {
  return {
    prefixes: LEGACY_PREFIXES,
    endpoints: [...serverEndpoints(context), ...archiveEndpoints(context), ...streamEndpoints(context)],
  };
}
