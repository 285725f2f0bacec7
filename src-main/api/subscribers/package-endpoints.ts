import {
  packageCreateSchema,
  packageListSchema,
  packageSchema,
  packageWriteSchema,
  subscriptionListSchema,
  subscriptionSchema,
} from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { singleId, PAGE_PARAMETERS, readListRequest } from './list-request.ts';
import { portalEndpoint } from './portal-request.ts';
import { PACKAGE_PARAMETER, SUBSCRIBER_PARAMETER, writeAnswer, writeBody } from './write-request.ts';

const TEXT = { type: 'string' };
const PACKAGE = { description: 'The package', schema: packageSchema };
const SUBSCRIPTION = { description: 'The subscription', schema: subscriptionSchema };
const PATH = '/packages/{packageId}';
const LINK = '/subscribers/{subscriberId}/packages/{packageId}';

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
      method: 'POST',
      path: '/packages',
      id: 'package_create',
      scope: 'write',
      summary: 'Creates a package',
      body: writeBody(packageCreateSchema),
      replies: { 201: { ...PACKAGE, description: 'The new package' } },
      handle: async (caller, request) => {
        const body = bodyOf(packageCreateSchema, request.body);
        const { name, isFree = false, streams = [], maxSessions = null } = body;
        const command = { type: 'createPackage', name, isFree, streams, maxSessions } as const;
        return writeAnswer(service, caller, request, 'POST', command);
      },
    }),
    portalEndpoint(service, {
      method: 'GET',
      path: PATH,
      id: 'package_get',
      scope: 'read',
      summary: 'One package',
      parameters: [PACKAGE_PARAMETER],
      replies: { 200: PACKAGE },
      handle: async (caller, { params }) => ({
        status: 200,
        body: await service.package(caller, params['packageId'] ?? ''),
      }),
    }),
    portalEndpoint(service, {
      method: 'PUT',
      path: PATH,
      id: 'package_save',
      scope: 'write',
      summary: 'Changes the given fields of a package',
      parameters: [PACKAGE_PARAMETER],
      body: writeBody(packageWriteSchema),
      replies: { 200: PACKAGE },
      handle: async (caller, request) => {
        const { name, isFree, streams, maxSessions } = bodyOf(packageWriteSchema, request.body);
        const packageId = request.params['packageId'] ?? '';
        const command = { type: 'updatePackage', packageId, name, isFree, streams, maxSessions } as const;
        return writeAnswer(service, caller, request, 'PUT', command);
      },
    }),
    portalEndpoint(service, {
      method: 'DELETE',
      path: PATH,
      id: 'package_delete',
      scope: 'write',
      summary: 'Removes a package that has no subscription',
      parameters: [PACKAGE_PARAMETER],
      replies: { 204: { description: 'The package is removed' } },
      handle: async (caller, request) => {
        const packageId = request.params['packageId'] ?? '';
        return writeAnswer(service, caller, request, 'DELETE', { type: 'deletePackage', packageId });
      },
    }),
    portalEndpoint(service, {
      method: 'GET',
      path: '/subscriptions',
      id: 'subscriptions_list',
      scope: 'read',
      summary: 'Packages that are attached to subscribers',
      parameters: [
        { name: 'subscriberId', in: 'query', description: 'only of this subscriber', schema: TEXT },
        { name: 'packageId', in: 'query', description: 'only of this package', schema: TEXT },
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
    portalEndpoint(service, {
      method: 'PUT',
      path: LINK,
      id: 'subscription_attach',
      scope: 'write',
      summary: 'Attaches a package to a subscriber',
      description: 'The paid period starts with the operation. If the package is already attached, nothing changes.',
      parameters: [SUBSCRIBER_PARAMETER, PACKAGE_PARAMETER],
      replies: { 200: SUBSCRIPTION, 201: { ...SUBSCRIPTION, description: 'The new subscription' } },
      handle: async (caller, request) => writeAnswer(service, caller, request, 'PUT', linkOf('attach', request.params)),
    }),
    portalEndpoint(service, {
      method: 'DELETE',
      path: LINK,
      id: 'subscription_detach',
      scope: 'write',
      summary: 'Detaches a package from a subscriber',
      description: 'The paid period ends with the operation.',
      parameters: [SUBSCRIBER_PARAMETER, PACKAGE_PARAMETER],
      replies: { 204: { description: 'The package is detached' } },
      handle: async (caller, request) =>
        writeAnswer(service, caller, request, 'DELETE', linkOf('detach', request.params)),
    }),
  ];
}

function linkOf<Type extends 'attach' | 'detach'>(
  type: Type,
  params: Readonly<Record<string, string>>,
): { readonly type: Type; readonly subscriberId: string; readonly packageId: string } {
  return { type, subscriberId: params['subscriberId'] ?? '', packageId: params['packageId'] ?? '' };
}
