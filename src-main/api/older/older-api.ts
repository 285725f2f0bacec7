import type { ApiHouse } from '../../control/api-house.ts';
import { addEndpoints } from '../endpoints/add-endpoints.ts';
import { authorizeCaller } from '../endpoints/authorize.ts';
import type { Api } from '../endpoints/endpoint.ts';
import type { Routes } from '../http-app.ts';
import { OLDER_PREFIXES } from '../prefixes.ts';
import { serverRows } from './server-rows.ts';
import { streamRows } from './stream-rows.ts';

/** The older API, but for the rows that read and write the configuration. */
export function olderApi(house: ApiHouse): Api {
  return { prefixes: OLDER_PREFIXES, endpoints: [...serverRows(house), ...streamRows(house)] };
}

/** The same, as the server adds it. */
export function olderRoutes(house: ApiHouse): Routes {
  return (app) => addEndpoints(app, olderApi(house), authorizeCaller);
}
