import { asRunObjectSchema, asRunProofSchema } from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { rowsInScope } from '../../operators/require.ts';
import { TextBody, type Endpoint, type BodySchema } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, withNothingRequired } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { CollectionContext } from './collection-context.ts';
import { AS_RUN_LIST, type ShownAsRun } from './as-run-list.ts';
import { envelopeSchema } from './generic/collection-schemas.ts';
import { exportAnswer, exportReply } from '../endpoints/text-export.ts';

const ROW = { tag: 'as_run', access: 'operate', isScoped: true, errors: [503] } as const;

export const AS_RUN_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  as_run: asRunObjectSchema,
  get as_run_part() {
    return withNothingRequired(jsonSchemaOf(asRunObjectSchema));
  },
  as_run_list: envelopeSchema('as_run', schemaRef('as_run_part')),
  as_run_proof: asRunProofSchema,
};

/** Log of advertisements: each advertisement sent to a viewer. */
export function asRunEndpoints(context: Pick<CollectionContext, 'asRun'>): readonly Endpoint[] {
  return [
    {
      ...ROW,
      id: 'as_run_list',
      method: 'GET',
      path: '/ads/as_run',
      readsQuery: true,
      summary: 'Lists the advertisements sent to viewers',
      description:
        'One row for each showing of a clip, written within a second. Filters are those of all lists; the order is by `sent_at`, upward or downward. `estimated_count` counts up to 100 000.',
      get parameters() {
        return AS_RUN_LIST.parameters;
      },
      replies: { 200: { description: 'A page, in its envelope', schema: schemaRef('as_run_list') } },
      handle: async ({ url, caller }) => ({
        status: 200,
        body: await AS_RUN_LIST.page(requireLog(context), url, rowsInScope(caller, 'stream')),
      }),
    },
    {
      ...ROW,
      id: 'as_run_export',
      method: 'GET',
      path: '/ads/as_run/export',
      readsQuery: true,
      summary: 'The log of advertisements as a file, sent while it is read',
      description:
        'Oldest first, with the filters of the list. The last line is the proof: the number of rows before it, the SHA-256 of all bytes before it, and an Ed25519 signature of both with the time. In CSV it is the second cell of a line that starts with `proof`.',
      get parameters() {
        return AS_RUN_LIST.exportParameters;
      },
      replies: { 200: exportReply('The rows, and their proof') },
      handle: async (request) => {
        const { format, conditions } = AS_RUN_LIST.exportQuery(request, rowsInScope(request.caller, 'stream'));
        return exportAnswer(format, await requireLog(context).export(format, conditions, request.caller));
      },
    },
    {
      ...ROW,
      id: 'as_run_public_key',
      method: 'GET',
      path: '/ads/as_run/public_key',
      summary: 'The key that verifies exports of the log of advertisements: Ed25519, PEM',
      replies: { 200: { description: 'The key', type: 'application/x-pem-file', schema: { type: 'string' } } },
      handle: async () => ({
        status: 200,
        body: new TextBody(await requireLog(context).publicKey(), 'application/x-pem-file'),
      }),
    },
  ];
}

function requireLog({ asRun }: Pick<CollectionContext, 'asRun'>): ShownAsRun {
  if (!asRun) throw new AirdeskError('unavailable', 'This server keeps no log of advertisements');
  return asRun;
}
