import {
  subscriberCreateSchema,
  subscriberDisableSchema,
  subscriberListSchema,
  subscriberLoginSchema,
  subscriberSchema,
  subscriberWriteSchema,
} from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { singleValue, singleId, PAGE_PARAMETERS, readListRequest } from './list-request.ts';
import { portalEndpoint } from './portal-request.ts';
import { SUBSCRIBER_PARAMETER, writeAnswer, writeBody } from './write-request.ts';

const FILTERS = { phoneCountryCode: false, phone: false, packageId: false } as const;
const TEXT = { type: 'string' };
const SUBSCRIBER = { description: 'The subscriber', schema: subscriberSchema };
const MADE = { ...SUBSCRIBER, description: 'The new subscriber' };
const PATH = '/subscribers/{subscriberId}';
const ID = [SUBSCRIBER_PARAMETER];

export function subscriberEndpoints(service: PortalService): Endpoint[] {
  return [
    portalEndpoint(service, {
      method: 'GET',
      path: '/subscribers',
      id: 'subscribers_list',
      scope: 'read',
      summary: 'Subscribers of the portal',
      parameters: [
        { name: 'phoneCountryCode', in: 'query', description: 'only of this country; requires phone', schema: TEXT },
        { name: 'phone', in: 'query', description: 'only with this number', schema: TEXT },
        { name: 'packageId', in: 'query', description: 'only with this package', schema: TEXT },
        ...PAGE_PARAMETERS,
      ],
      replies: { 200: { description: 'A page of the subscribers', schema: subscriberListSchema } },
      handle: async (caller, request) => {
        const list = readListRequest(request, caller.portalId, 'subscribers', FILTERS);
        const [phoneCountryCode, phone] = [singleValue(list, 'phoneCountryCode'), singleValue(list, 'phone')];
        if (phoneCountryCode !== undefined && phone === undefined)
          throw new AirdeskError('bad_query', 'phoneCountryCode requires phone', { parameter: 'phoneCountryCode' });
        const portion = { limit: list.limit, afterId: list.afterId };
        const query = { ...portion, phoneCountryCode, phone, packageId: singleId(list, 'packageId') };
        const page = await service.subscribers(caller, query);
        const next = list.next(page, ({ subscriberId }) => subscriberId);
        return { status: 200, body: { subscribers: page.items, next } };
      },
    }),
    portalEndpoint(service, {
      method: 'POST',
      path: '/subscribers',
      id: 'subscriber_create',
      scope: 'write',
      summary: 'Creates a subscriber',
      body: writeBody(subscriberCreateSchema),
      replies: { 201: MADE },
      handle: async (caller, request) => {
        const { name, phoneCountryCode = '', phone = '' } = bodyOf(subscriberCreateSchema, request.body);
        const command = { type: 'createSubscriber', name, phoneCountryCode, phone } as const;
        return writeAnswer(service, caller, request, 'POST', command);
      },
    }),
    portalEndpoint(service, {
      method: 'POST',
      path: '/subscribers/login',
      id: 'subscriber_login',
      scope: 'write',
      summary: 'The subscriber of a verified phone number',
      description:
        'If there is none and the portal registers automatically, the subscriber is created with all free packages: `autoCreateSubscriber`, and `createPackageSubscriber` for each. A disabled subscriber is returned with `isDisabled`.',
      body: writeBody(subscriberLoginSchema),
      errors: [404],
      replies: { 200: SUBSCRIBER, 201: MADE },
      handle: async (caller, request) => {
        const { phoneCountryCode, phone, name = phone } = bodyOf(subscriberLoginSchema, request.body);
        return writeAnswer(service, caller, request, 'POST', { type: 'login', name, phoneCountryCode, phone });
      },
    }),
    portalEndpoint(service, {
      method: 'GET',
      path: PATH,
      id: 'subscriber_get',
      scope: 'read',
      summary: 'One subscriber',
      parameters: ID,
      replies: { 200: SUBSCRIBER },
      handle: async (caller, { params }) => ({
        status: 200,
        body: await service.subscriber(caller, params['subscriberId'] ?? ''),
      }),
    }),
    portalEndpoint(service, {
      method: 'PUT',
      path: PATH,
      id: 'subscriber_save',
      scope: 'write',
      summary: 'Changes the given fields of a subscriber',
      parameters: ID,
      body: writeBody(subscriberWriteSchema),
      replies: { 200: SUBSCRIBER },
      handle: async (caller, request) => {
        const { name, phoneCountryCode, phone } = bodyOf(subscriberWriteSchema, request.body);
        const subscriberId = request.params['subscriberId'] ?? '';
        const command = { type: 'updateSubscriber', subscriberId, name, phoneCountryCode, phone } as const;
        return writeAnswer(service, caller, request, 'PUT', command);
      },
    }),
    portalEndpoint(service, {
      method: 'DELETE',
      path: PATH,
      id: 'subscriber_delete',
      scope: 'write',
      summary: 'Removes a subscriber permanently, with all subscriptions',
      description: 'Each subscription that ends has an operation of its own before that of the subscriber.',
      parameters: ID,
      replies: { 204: { description: 'The subscriber is removed' } },
      handle: async (caller, request) => {
        const subscriberId = request.params['subscriberId'] ?? '';
        return writeAnswer(service, caller, request, 'DELETE', { type: 'deleteSubscriber', subscriberId });
      },
    }),
    portalEndpoint(service, {
      method: 'POST',
      path: `${PATH}/disable`,
      id: 'subscriber_disable',
      scope: 'write',
      summary: 'Blocks viewing; subscriptions remain',
      parameters: ID,
      body: { ...writeBody(subscriberDisableSchema), isRequired: false },
      replies: { 200: SUBSCRIBER },
      handle: async (caller, request) => {
        const { reason } = bodyOf(subscriberDisableSchema, request.body ?? {});
        const subscriberId = request.params['subscriberId'] ?? '';
        return writeAnswer(service, caller, request, 'POST', { type: 'disableSubscriber', subscriberId, reason });
      },
    }),
    portalEndpoint(service, {
      method: 'POST',
      path: `${PATH}/enable`,
      id: 'subscriber_enable',
      scope: 'write',
      summary: 'Allows viewing again',
      parameters: ID,
      replies: { 200: SUBSCRIBER },
      handle: async (caller, request) => {
        const subscriberId = request.params['subscriberId'] ?? '';
        return writeAnswer(service, caller, request, 'POST', { type: 'enableSubscriber', subscriberId });
      },
    }),
  ];
}
