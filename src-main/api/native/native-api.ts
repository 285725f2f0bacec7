import { addEndpoints } from '../endpoints/add-endpoints.ts';
import { authorizeCaller } from '../endpoints/authorize.ts';
import type { Api } from '../endpoints/endpoint.ts';
import type { Routes } from '../http-app.ts';
import { NATIVE_PREFIX } from '../prefixes.ts';
import { archiveRows } from './archive-rows.ts';
import { listRows } from './list-rows.ts';
import type { NativeHouse } from './native-house.ts';
import { serverRows } from './server-rows.ts';

/** The native API. */
export function nativeApi(house: NativeHouse): Api {
  return { prefixes: [NATIVE_PREFIX], endpoints: [...serverRows(house), ...listRows(house), ...archiveRows(house)] };
}

/** The same, as the server adds it. */
export function nativeRoutes(house: NativeHouse): Routes {
  return (app) => addEndpoints(app, nativeApi(house), authorizeCaller);
}
