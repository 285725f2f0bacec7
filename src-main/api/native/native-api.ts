import type { Api } from '../endpoints/endpoint.ts';
import { NATIVE_PREFIX } from '../http/prefixes.ts';
import { archiveRows } from './archive-endpoints.ts';
import { listRows } from './list-endpoints.ts';
import type { NativeContext } from './native-context.ts';
import { serverEndpoints } from './server-endpoints.ts';

export function nativeApi(context: NativeContext): Api {
  return {
    prefixes: [NATIVE_PREFIX],
    endpoints: [...serverEndpoints(context), ...listRows(context), ...archiveRows(context)],
  };
}
