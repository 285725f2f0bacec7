import {
  legacyDvrDeleteSchema,
  legacyDvrStatusSchema,
  legacyTrueSchema,
} from '../../../src-preload/contract/api/legacy.ts';
import { requireInScope } from '../../operators/require.ts';
import type { ApiContext } from '../api-context.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { jsonSchemaOf } from '../endpoints/json-schema.ts';
import { shownTo } from '../shown-server.ts';
import { legacyDvrDelete, legacyDvrStatus, legacyDvrSwitch } from './archive.ts';
import { bodyOf } from './checked.ts';
import { nameOf, ok, streamAction } from './row.ts';

/** The legacy API's view of archives, and its actions on them. */
export function archiveEndpoints(context: ApiContext): Endpoint[] {
  return [
    {
      method: 'GET',
      tag: 'legacy',
      access: 'view',
      isScoped: true,
      path: '/dvr_status/{year}/{month}/{day}/{+name}',
      id: 'legacy_dvr_status',
      summary: 'What is recorded of one day',
      replies: { 200: { description: 'Blocks of the archive', schema: jsonSchemaOf(legacyDvrStatusSchema) } },
      handle: ({ params, caller }) =>
        ok(
          legacyDvrStatus(shownTo(context, caller), nameOf(params), [
            params['year'] ?? '',
            params['month'] ?? '',
            params['day'] ?? '',
          ]),
        ),
    },
    {
      method: 'POST',
      tag: 'legacy',
      access: 'edit',
      isScoped: true,
      path: '/dvr/delete',
      id: 'legacy_dvr_delete',
      summary: 'Removes a stretch of an archive',
      errors: [404],
      body: { schema: jsonSchemaOf(legacyDvrDeleteSchema) },
      replies: { 200: { description: 'It is gone', schema: jsonSchemaOf(legacyTrueSchema) } },
      handle: ({ body, caller }) => {
        const wanted = bodyOf(legacyDvrDeleteSchema, body);
        requireInScope(caller, wanted.stream);
        return ok(legacyDvrDelete(context, wanted));
      },
    },
    ...streamAction(
      {
        path: '/dvr_enable/{+name}',
        id: 'legacy_dvr_enable',
        summary: 'Switches the recording of a stream on, until it is restarted',
        schema: legacyTrueSchema,
        access: 'edit',
      },
      (name) => legacyDvrSwitch(context, name, true),
    ),
    ...streamAction(
      {
        path: '/dvr_disable/{+name}',
        id: 'legacy_dvr_disable',
        summary: 'Switches the recording of a stream off, until it is restarted',
        schema: legacyTrueSchema,
        access: 'edit',
      },
      (name) => legacyDvrSwitch(context, name, false),
    ),
  ];
}
