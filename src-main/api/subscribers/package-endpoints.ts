import {
  packageListSchema,
  packageSchema,
  subscriptionListSchema,
} from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { singleId, PAGE_PARAMETERS, readListRequest } from './list-request.ts';
import { portalEndpoint } from './portal-request.ts';
import { PATH_PARAMETERS } from './command-endpoints.ts';
import { inQuery } from '../endpoints/parameters.ts';

/** Packages of a portal, and subscriptions to them. */
export function packageEndpoints(service: PortalService): Endpoint[] {
  return [
    portalEndpoint(service, {
      method: 'GET',
      path: '/packages',
      id: 'packages_list',
      scope: 'read',
      summary: 'Packages of the portal',
      parameters: PAGE_PARAMETERS,
      replies: { 200: { description: 'A page of the packages', schema: packageListSchema } },
      handle: async (caller, request) => {
        const list = readListRequest(request, caller.portalId, 'packages', {});
        const page = await service.packages(caller, { limit: list.limit, afterId: list.afterId });
        const next = list.next(page, ({ packageId }) => packageId);
        return { status: 200, body: { packages: page.items, next } };
      },
    }),
    portalEndpoint(service, {
      method: 'GET',
      path: '/packages/{packageId}',
      id: 'package_get',
      scope: 'read',
      summary: 'One package',
      parameters: [PATH_PARAMETERS.packageId],
      replies: { 200: { description: 'The package', schema: packageSchema } },
      handle: async (caller, { params }) => ({
        status: 200,
        body: await service.package(caller, params['packageId'] ?? ''),
      }),
    }),
    portalEndpoint(service, {
      method: 'GET',
      path: '/subscriptions',
      id: 'subscriptions_list',
      scope: 'read',
      summary: 'Packages that are attached to subscribers',
      parameters: [
        inQuery('subscriberId', 'only of this subscriber'),
        inQuery('packageId', 'only of this package'),
        ...PAGE_PARAMETERS,
      ],
      replies: { 200: { description: 'A page of the subscriptions', schema: subscriptionListSchema } },
      handle: async (caller, request) => {
        const list = readListRequest(request, caller.portalId, 'subscriptions', {
          subscriberId: false,
          packageId: false,
        });
        const page = await service.subscriptions(caller, {
          limit: list.limit,
          afterId: list.afterId,
          subscriberId: singleId(list, 'subscriberId'),
          packageId: singleId(list, 'packageId'),
        });
        const subscriptions = page.items.map(({ id: _place, ...subscription }) => subscription);
        return { status: 200, body: { subscriptions, next: list.next(page, ({ id }) => id) } };
      },
    }),
  ];
}
