import type { Api } from '../endpoints/endpoint.ts';
import { NATIVE_PREFIX } from '../prefixes.ts';
import { archiveRows } from './archive-rows.ts';
import { listRows } from './list-rows.ts';
import type { NativeHouse } from './native-house.ts';
import { serverRows } from './server-rows.ts';

/** The native API. */
export function nativeApi(house: NativeHouse): Api {
  return { prefixes: [NATIVE_PREFIX], endpoints: [...serverRows(house), ...listRows(house), ...archiveRows(house)] };
}
