import {
  AS_RUN_FIELDS,
  asRunObjectSchema,
  asRunProofSchema,
  type AsRunObject,
} from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import { TextBody, type BodySchema, type Endpoint } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, withNothingRequired } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { exportAnswer } from '../endpoints/text-export.ts';
import type { CollectionContext } from './collection-context.ts';
import { envelopeSchema } from './generic/collection-schemas.ts';
import { LogList } from './generic/log-list.ts';

const LIST = new LogList<AsRunObject>('as_run', 'sent_at', AS_RUN_FIELDS, asRunObjectSchema, { stream: 'stream' });

export const AS_RUN_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  as_run: asRunObjectSchema,
  get as_run_part() {
    return withNothingRequired(jsonSchemaOf(asRunObjectSchema));
  },
  as_run_list: envelopeSchema('as_run', schemaRef('as_run_part')),
  as_run_proof: asRunProofSchema,
};

/** Log of advertisements: each advertisement sent to a viewer. */
export function asRunEndpoints({ asRun }: Pick<CollectionContext, 'asRun'>): readonly Endpoint[] {
  const row = { tag: 'as_run', access: 'operate', isScoped: true, errors: [503] } as const;
  return [
    LIST.listEndpoint(
      {
        ...row,
        id: 'as_run_list',
        path: '/ads/as_run',
        summary: 'Lists the advertisements sent to viewers',
        description:
          'One row for each showing of a clip, written within a second. Filters are those of all lists; the order is by `sent_at`, upward or downward. `estimated_count` counts up to 100 000.',
      },
      'as_run_list',
      () => asRun,
    ),
    LIST.exportEndpoint(
      {
        ...row,
        id: 'as_run_export',
        path: '/ads/as_run/export',
        summary: 'The log of advertisements as a file, sent while it is read',
        description:
          'Oldest first, with the filters of the list. The last line is the proof: the number of rows before it, the SHA-256 of all bytes before it, and an Ed25519 signature of both with the time. In CSV it is the second cell of a line that starts with `proof`.',
      },
      'The rows, and their proof',
      async ({ format, conditions }) => exportAnswer(format, await asRun.export(format, conditions)),
    ),
    {
      ...row,
      id: 'as_run_public_key',
      method: 'GET',
      path: '/ads/as_run/public_key',
      summary: 'The key that verifies exports of the log of advertisements: Ed25519, PEM',
      replies: { 200: { description: 'The key', type: 'application/x-pem-file', schema: { type: 'string' } } },
      handle: async () => ({ status: 200, body: new TextBody(await asRun.publicKey(), 'application/x-pem-file') }),
    },
  ];
}
