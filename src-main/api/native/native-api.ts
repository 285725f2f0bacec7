import type { ApiHouse } from '../../control/api-house.ts';
import type { RuntimeMetrics } from '../../control/runtime-metrics.ts';
import { addEndpoints } from '../endpoints/add-endpoints.ts';
import { authorizeCaller } from '../endpoints/authorize.ts';
import type { Api } from '../endpoints/endpoint.ts';
import type { Routes } from '../http-app.ts';
import { NATIVE_PREFIX } from '../prefixes.ts';
import { archiveRows } from './archive-rows.ts';
import { serverRows } from './server-rows.ts';

/** The native API. */
export function nativeApi(house: ApiHouse, runtime: RuntimeMetrics): Api {
  return { prefixes: [NATIVE_PREFIX], endpoints: [...serverRows(house, runtime), ...archiveRows(house)] };
}

/** The same, as the server adds it. */
export function nativeRoutes(house: ApiHouse, runtime: RuntimeMetrics): Routes {
  return (app) => addEndpoints(app, nativeApi(house, runtime), authorizeCaller);
}
