import type { Routes } from '../http-app.ts';
import { addEndpoints } from '../endpoints/add-endpoints.ts';
import { authorizeCaller } from '../endpoints/authorize.ts';
import { COLLECTION_PREFIXES, OLDER_PREFIXES } from '../prefixes.ts';
import { configEndpoints } from './config-endpoints.ts';
import type { ConfigHouse } from './config-house.ts';
import { olderConfigEndpoints } from './older-config-endpoints.ts';

/** The configuration in both APIs. */
export function configRoutes(house: ConfigHouse): Routes {
  return async (app) => {
    await addEndpoints(app, { prefixes: COLLECTION_PREFIXES, endpoints: configEndpoints(house) }, authorizeCaller);
    await addEndpoints(app, { prefixes: OLDER_PREFIXES, endpoints: olderConfigEndpoints(house) }, authorizeCaller);
  };
}
