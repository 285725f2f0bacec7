import type { ApiContext } from './endpoints/api-context.ts';
import { collectionApi } from './collections/collection-api.ts';
import type { CollectionContext } from './collections/collection-context.ts';
import { configEndpoints } from './configuration/config-endpoints.ts';
import type { ConfigurationContext } from './configuration/configuration-context.ts';
import { legacyConfigEndpoints } from './configuration/legacy-endpoints.ts';
import { addEndpoints } from './endpoints/add-endpoints.ts';
import { authorizeCaller } from './endpoints/authorize.ts';
import type { Routes } from './http-app.ts';
import { nativeApi } from './native/native-api.ts';
import type { NativeContext } from './native/native-context.ts';
import { legacyApi } from './legacy/legacy-api.ts';
import { MEDIA_API } from './player/media-document.ts';
import { playerApi } from './player/player-api.ts';
import { SERVER_ADDRESSES } from './player/server-document.ts';
import type { ViewerAccess } from '../control/subscribers/viewer-access.ts';
import { COLLECTION_PREFIXES, LEGACY_PREFIXES } from './http/prefixes.ts';
import { subscriberApi, type SubscriberApiContext } from './subscribers/subscriber-api.ts';

export interface HttpApisContext extends ConfigurationContext {
  readonly runtime: NativeContext['runtime'];
  readonly subscribers: SubscriberApiContext & { readonly viewers: ViewerAccess };
  readonly collections: Omit<CollectionContext, keyof ApiContext | 'configuration'>;
}

/** All HTTP APIs of the server, and one document of all of them. */
export function httpApis({ runtime, subscribers, collections, ...configurationContext }: HttpApisContext): Routes {
  const { configuration, context } = configurationContext;
  const native = { ...context, configuration, runtime };
  const apis = [
    legacyApi(context),
    nativeApi(native),
    playerApi(native, subscribers.viewers),
    subscriberApi(subscribers),
  ];
  const legacyConfig = { prefixes: LEGACY_PREFIXES, endpoints: legacyConfigEndpoints(configurationContext) };
  const config = { prefixes: COLLECTION_PREFIXES, endpoints: configEndpoints(configurationContext) };
  const collectionRoutes = collectionApi(
    { ...context, configuration, ...collections },
    { here: config.endpoints, others: [MEDIA_API, SERVER_ADDRESSES, ...apis, legacyConfig] },
  );
  return (app) => addEndpoints(app, [config, legacyConfig, collectionRoutes, ...apis], authorizeCaller);
}
