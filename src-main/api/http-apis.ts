import { collectionRoutes } from './collections/collection-api.ts';
import type { CollectionHouse } from './collections/collection-house.ts';
import { configEndpoints } from './config/config-endpoints.ts';
import type { ConfigHouse } from './config/config-house.ts';
import { configRoutes } from './config/config-routes.ts';
import { olderConfigEndpoints } from './config/older-config-endpoints.ts';
import { addEndpoints } from './endpoints/add-endpoints.ts';
import { authorizeCaller } from './endpoints/authorize.ts';
import type { Routes } from './http-app.ts';
import { nativeApi } from './native/native-api.ts';
import type { NativeHouse } from './native/native-house.ts';
import { olderApi } from './older/older-api.ts';
import { playerApi } from './player/player-api.ts';
import { OLDER_PREFIXES } from './prefixes.ts';

/** What the HTTP APIs work with. */
export interface HttpApisHouse extends ConfigHouse {
  readonly notReady: CollectionHouse['notReady'];
  readonly eventSinkState: NonNullable<CollectionHouse['eventSinkState']>;
  readonly keptAnswers?: CollectionHouse['keptAnswers'];
  readonly tokenUsedMs?: CollectionHouse['tokenUsedMs'];
  readonly runtime: NativeHouse['runtime'];
}

/** All HTTP APIs of the server, and one document of all of them. */
export function httpApis({
  notReady,
  eventSinkState,
  keptAnswers,
  tokenUsedMs,
  runtime,
  ...configHouse
}: HttpApisHouse): readonly Routes[] {
  const { configuration, house } = configHouse;
  const native = { ...house, configuration, runtime };
  const apis = [olderApi(house), nativeApi(native), playerApi(native)];
  const described = [...apis, { prefixes: OLDER_PREFIXES, endpoints: olderConfigEndpoints(configHouse) }];
  return [
    configRoutes(configHouse),
    collectionRoutes(
      { ...house, configuration, notReady, eventSinkState, keptAnswers, ...(tokenUsedMs ? { tokenUsedMs } : {}) },
      { here: configEndpoints(configHouse), others: described, schemas: {} },
    ),
    ...apis.map(
      (api): Routes =>
        (app) =>
          addEndpoints(app, api, authorizeCaller),
    ),
  ];
}
