import { subscriberListSchema } from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { singleValue, singleId, PAGE_PARAMETERS, readListRequest } from './list-request.ts';
import { portalEndpoint } from './portal-request.ts';
import { inQuery } from '../endpoints/parameters.ts';

const FILTERS = { phoneCountryCode: false, phone: false, packageId: false } as const;

export function subscriberEndpoints(service: PortalService): Endpoint[] {
  return [
    portalEndpoint(service, {
      method: 'GET',
      path: '/subscribers',
      id: 'subscribers_list',
      scope: 'read',
      summary: 'Subscribers of the portal',
      parameters: [
        inQuery('phoneCountryCode', 'only of this country; requires phone'),
        inQuery('phone', 'only with this number'),
        inQuery('packageId', 'only with this package'),
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
  ];
}
