import type { Routes } from '../http-app.ts';
import { addEndpoints } from '../endpoints/add-endpoints.ts';
import { authorizeCaller } from '../endpoints/authorize.ts';
import { COLLECTION_PREFIXES, LEGACY_PREFIXES } from '../prefixes.ts';
import { configEndpoints } from './config-endpoints.ts';
import type { ConfigurationContext } from './configuration-context.ts';
import { legacyConfigEndpoints } from './legacy-endpoints.ts';

/** The configuration in both APIs. */
export function configRoutes(context: ConfigurationContext): Routes {
  return async (app) => {
    await addEndpoints(app, { prefixes: COLLECTION_PREFIXES, endpoints: configEndpoints(context) }, authorizeCaller);
    await addEndpoints(app, { prefixes: LEGACY_PREFIXES, endpoints: legacyConfigEndpoints(context) }, authorizeCaller);
  };
}
