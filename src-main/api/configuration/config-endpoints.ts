import { configStatsView } from './runtime-view.ts';
import { changedBy } from '../../operators/caller.ts';
import {
  configTextView,
  diffView,
  pendingView,
  versionsView,
  versionView,
} from '../../configuration/configuration-view.ts';
import { IF_NONE_MATCH, NOT_MODIFIED } from '../collections/generic/preconditions.ts';
import type { Endpoint, ParameterDoc } from '../endpoints/endpoint.ts';
import type { Json, JsonSchema } from '../endpoints/json-schema.ts';
import { flag, parameter } from '../endpoints/query-flag.ts';
import {
  changeAnswer,
  configAnswer,
  plainText,
  validationAnswer,
  type ConfigurationContext,
} from './configuration-context.ts';
import {
  CHANGE_PARAMETERS,
  changeOptions,
  CONFIG_LIMIT_BYTES,
  CONFIG_TYPES,
  configBody,
  integer,
  MAX_VERSIONS,
  versionId,
} from './config-request.ts';
import { inPath, inQuery } from '../endpoints/parameters.ts';

const OBJECT: JsonSchema = { type: 'object', additionalProperties: true };
const CONFIG_EXAMPLE = { streams: { gate: { title: 'The gate', inputs: [{ url: 'rtsp://192.0.2.9/main' }] } } };
const CONFIG_BODY = {
  example: CONFIG_EXAMPLE,
  schema: OBJECT,
  types: CONFIG_TYPES,
  limitBytes: CONFIG_LIMIT_BYTES,
} as const;
const CONFIG_REPLY = { 200: { description: 'The configuration', schema: OBJECT, otherTypes: ['text/plain'] } } as const;
const OBJECT_REPLY = { 200: { description: 'As described in the operators’ guide', schema: OBJECT } } as const;
const DEFAULT_VERSIONS = 100;
const VERSION: ParameterDoc = inPath('id', 'number of the version', { type: 'integer', minimum: 1 });

const EDIT = { tag: 'config', access: 'edit', replies: OBJECT_REPLY } as const;

/**
 * Endpoints of the configuration in the collection API: read, validate, change, history, probation. Reading the configuration
 * needs write access; reading the state of the server does not.
 */
export function configEndpoints(context: ConfigurationContext): readonly Endpoint[] {
  const { configuration } = context;
  return [
    {
      ...EDIT,
      method: 'GET',
      path: '/config',
      id: 'config_get',
      summary: 'The configuration in force',
      replies: { ...CONFIG_REPLY, 304: NOT_MODIFIED },
      parameters: [inQuery('full', 'Whether defaults are included', { type: 'boolean' }), IF_NONE_MATCH],
      handle: (request) => configAnswer(context, request, flag(request, 'full')),
    },
    {
      ...EDIT,
      method: 'POST',
      path: '/config',
      id: 'config_validate',
      summary: 'Validates a configuration without changing anything: a complete text, or JSON as a change',
      replies: CONFIG_REPLY,
      body: CONFIG_BODY,
      handle: (request) => validationAnswer(context, request),
    },
    {
      ...EDIT,
      method: 'PUT',
      path: '/config',
      id: 'config_save',
      summary: 'Changes the configuration and its file: a text replaces everything, JSON is merged',
      replies: CONFIG_REPLY,
      body: CONFIG_BODY,
      parameters: CHANGE_PARAMETERS,
      handle: async (request) => {
        const body = await configBody(request);
        const by = changedBy(request.caller, 'api');
        const options = changeOptions(request, configuration);
        const applied = await (body.text === undefined
          ? configuration.changes.merge(body.json, by, options)
          : configuration.changes.replace(body.text, by, options));
        return changeAnswer(request, applied, body.text === undefined ? body : 'whole');
      },
    },
    {
      ...EDIT,
      method: 'GET',
      path: '/config/stats',
      id: 'config_stats',
      summary: 'The state of the server and of its configuration',
      access: 'view',
      handle: () => ({ status: 200, body: configStatsView(configuration, context.context, context.alerts()) }),
    },
    {
      ...EDIT,
      method: 'POST',
      path: '/config/confirm',
      id: 'config_confirm',
      summary: 'Makes the change on trial permanent',
      parameters: CHANGE_PARAMETERS.filter(({ name }) => name === 'overwrite'),
      handle: async (request) => {
        await configuration.probation.confirm(changedBy(request.caller, 'api'), changeOptions(request, configuration));
        return { status: 200, body: { version: configuration.versionId, pending: pendingView(configuration) } };
      },
    },
    {
      ...EDIT,
      method: 'POST',
      path: '/config/rollback',
      id: 'config_rollback',
      summary: 'Rolls back the change on trial',
      handle: async ({ caller }) => {
        const { versionId: version } = await configuration.probation.rollback(changedBy(caller, 'api'));
        return { status: 200, body: { version, pending: pendingView(configuration) } };
      },
    },
    {
      ...EDIT,
      method: 'POST',
      path: '/config/reload',
      id: 'config_reload',
      summary: 'Reads the file again',
      replies: CONFIG_REPLY,
      handle: async (request) =>
        changeAnswer(request, await configuration.changes.reload(changedBy(request.caller, 'api'))),
    },
    ...versionEndpoints(context),
  ];
}

function versionEndpoints(context: ConfigurationContext): readonly Endpoint[] {
  const { configuration } = context;
  return [
    {
      ...EDIT,
      method: 'GET',
      path: '/config/versions',
      id: 'config_versions_list',
      summary: 'Every configuration that was applied, newest first',
      parameters: [
        inQuery(
          'limit',
          `Maximum number of versions in the answer, 1 to ${MAX_VERSIONS}; default ${DEFAULT_VERSIONS}`,
          { type: 'integer' },
        ),
        inQuery('before', 'Only versions with a smaller number: `next` of the previous page', { type: 'integer' }),
      ],
      handle: (request) => {
        const limit = integer(parameter(request, 'limit') ?? String(DEFAULT_VERSIONS), 'limit', MAX_VERSIONS);
        const before = parameter(request, 'before');
        return {
          status: 200,
          body: versionsView(configuration, limit, before === undefined ? undefined : integer(before, 'before')),
        };
      },
    },
    {
      ...EDIT,
      method: 'GET',
      path: '/config/versions/{id}',
      id: 'config_version_get',
      summary: 'One version',
      parameters: [VERSION],
      handle: (request) => ({
        status: 200,
        body: versionView(configuration, configuration.history.get(versionId(request))),
      }),
    },
    {
      ...EDIT,
      method: 'GET',
      path: '/config/versions/{id}/text',
      id: 'config_version_text',
      summary: 'The text of a version; secrets are masked',
      replies: { 200: { description: 'The text', schema: { type: 'string' }, type: 'text/plain' } },
      parameters: [VERSION],
      handle: async (request) => plainText(configTextView(await configuration.versions.document(versionId(request)))),
    },
    {
      ...EDIT,
      method: 'GET',
      path: '/config/versions/{id}/diff',
      id: 'config_version_diff',
      summary: 'Difference between two versions, line by line',
      parameters: [VERSION, inQuery('to', 'The other version; default: the version in force', { type: 'integer' })],
      handle: async (request) => {
        const to = parameter(request, 'to');
        const until = to === undefined ? undefined : integer(to, 'to');
        const diff = await diffView(configuration, versionId(request), until);
        return {
          status: 200,
          body: {
            ...diff,
            hunks: diff.hunks.map(({ oldLine, newLine, ...lines }) => ({
              old_line: oldLine,
              new_line: newLine,
              ...lines,
            })),
          } satisfies Json,
        };
      },
    },
    {
      ...EDIT,
      method: 'POST',
      path: '/config/versions/{id}/restore',
      id: 'config_version_restore',
      summary: 'Applies a version again',
      replies: CONFIG_REPLY,
      parameters: [VERSION, ...CHANGE_PARAMETERS],
      handle: async (request) =>
        changeAnswer(
          request,
          await configuration.versions.restore(
            versionId(request),
            changedBy(request.caller, 'api'),
            changeOptions(request, configuration),
          ),
        ),
    },
  ];
}
