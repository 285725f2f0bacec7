import {
  OPERATION_TYPES,
  operationListSchema,
  type OperationType,
} from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import { badParameter } from '../../../src-preload/contract/index.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { OperationQuery } from '../../subscribers/subscriber-query.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  singleValue,
  singleId,
  PAGE_PARAMETERS,
  readListRequest,
  requireId,
  timeOf,
  type ListRequest,
} from '../endpoints/list-request.ts';
import { portalEndpoint } from './portal-request.ts';
import { inQuery } from '../endpoints/parameters.ts';

/** Filters of the log; true for filters that may repeat. */
const FILTERS = {
  subscriberId: true,
  packageId: false,
  type: true,
  created_at_gte: false,
  created_at_lt: false,
  order: false,
} as const;

const TEXT = { type: 'string' };

export function operationEndpoints(service: PortalService): Endpoint[] {
  return [
    portalEndpoint(service, {
      method: 'GET',
      path: '/operations',
      id: 'operations_list',
      scope: 'operations',
      readsQuery: true,
      summary: 'The operations log: every change of subscribers, packages and subscriptions',
      description:
        'An operation must match all conditions; `subscriberId` and `type` may repeat and match any of their values. An operation is listed as soon as its change was answered.',
      parameters: [
        inQuery('subscriberId', 'only of this subscriber; may repeat'),
        inQuery('packageId', 'only of this package'),
        inQuery('type', 'only of this type; may repeat', { ...TEXT, enum: [...OPERATION_TYPES] }),
        inQuery('created_at_gte', 'not before YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, in UTC'),
        inQuery('created_at_lt', 'before YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, in UTC'),
        inQuery('order', 'desc: the newest first; default asc', { ...TEXT, enum: ['asc', 'desc'] }),
        ...PAGE_PARAMETERS,
      ],
      replies: { 200: { description: 'A page of the log', schema: operationListSchema } },
      handle: async (caller, request) => {
        const list = readListRequest(request, caller.portalId, 'operations', FILTERS);
        const { items, hasMore } = await (await service.store()).operations(caller.portalId, queryOf(list));
        const last = hasMore ? items.at(-1) : undefined;
        return { status: 200, body: { operations: items, next: last ? list.cursorAfter(last.operationId) : null } };
      },
    }),
  ];
}

function queryOf(list: ListRequest): OperationQuery {
  const { filters, afterId, limit } = list;
  const order = singleValue(list, 'order') ?? 'asc';
  if (order !== 'asc' && order !== 'desc') throw badParameter('order', 'order must be asc or desc');
  return {
    afterId,
    limit,
    subscriberIds: filters.get('subscriberId')?.map((id) => requireId(id, 'subscriberId')),
    packageId: singleId(list, 'packageId'),
    types: filters.get('type')?.map(requireType),
    fromMs: timeOf(list, 'created_at_gte'),
    beforeMs: timeOf(list, 'created_at_lt'),
    isDescending: order === 'desc',
  };
}

function requireType(text: string): OperationType {
  const operationType = OPERATION_TYPES.find((type) => type === text);
  if (!operationType) throw badParameter('type', `There is no type ${text.slice(0, 100)}`);
  return operationType;
}
