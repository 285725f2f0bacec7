import { webhookReplayCountSchema } from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import { badParameter } from '../../../src-preload/contract/index.ts';
import type { WebhookService } from '../../control/subscribers/webhook-service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { readListRequest, requireId, timeOf } from '../endpoints/list-request.ts';
import { inPath, inQuery } from '../endpoints/parameters.ts';

const EDIT = { tag: 'portals', access: 'edit' } as const;
const IDS = [inPath('portalId', 'id of the portal'), inPath('webhookId', 'id of the webhook')];
const PERIOD = [
  inQuery('created_at_gte', 'recorded not before YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, in UTC'),
  inQuery('created_at_lt', 'recorded before YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, in UTC'),
  inQuery('preview', 'true: whether operations are only counted; default false', { type: 'boolean' }),
];
const DEAD_LETTERS = '/portals/{portalId}/webhooks/{webhookId}/dead-letters';
const COUNT = { description: 'Number of messages', schema: webhookReplayCountSchema };

/** Undelivered webhook messages, for callers with write access. */
export function deadLetterEndpoints(service: WebhookService): Endpoint[] {
  return [
    {
      ...EDIT,
      method: 'DELETE',
      path: DEAD_LETTERS,
      id: 'dead_letters_discard',
      summary: 'Discards undelivered operations: all, or those of a period',
      description: 'The operations stay in the log, and may be posted again by their ids or their period.',
      parameters: [...IDS, ...PERIOD],
      replies: { 200: COUNT },
      handle: async (request) => {
        const { portalId = '', webhookId = '' } = request.params;
        const names = { created_at_gte: false, created_at_lt: false, preview: false };
        const list = readListRequest(request, portalId, 'discard', names);
        const preview = list.filters.get('preview')?.[0] ?? 'false';
        if (preview !== 'true' && preview !== 'false') throw badParameter('preview', 'preview must be true or false');
        const count = await service.discard(portalId, webhookId, {
          fromMs: timeOf(list, 'created_at_gte'),
          beforeMs: timeOf(list, 'created_at_lt'),
          operationId: undefined,
          isPreview: preview === 'true',
        });
        return { status: 200, body: { count } };
      },
    },
    {
      ...EDIT,
      method: 'DELETE',
      path: `${DEAD_LETTERS}/{+operationId}`,
      id: 'dead_letter_discard',
      summary: 'Discards one undelivered operation',
      parameters: [...IDS, inPath('operationId', 'id of the operation')],
      replies: { 204: { description: 'The operation is discarded; it stays in the log' } },
      handle: async ({ params }) => {
        const { portalId = '', webhookId = '', operationId = '' } = params;
        requireId(operationId, 'operationId');
        const one = { fromMs: undefined, beforeMs: undefined, operationId, isPreview: false };
        await service.discard(portalId, webhookId, one);
        return { status: 204 };
      },
    },
  ];
}
