import { changedBy } from '../../operators/caller.ts';
import { inputCheck } from '../../control/input-check.ts';
import { requireInScope } from '../../operators/require.ts';
import { runtimeView } from './runtime-view.ts';
import { configView } from '../../configuration/configuration-view.ts';
import type { Answer, Endpoint, EndpointDoc } from '../endpoints/endpoint.ts';
import type { JsonSchema } from '../endpoints/json-schema.ts';
import { flag } from '../endpoints/query-flag.ts';
import { jsonText, reportOf, type ConfigurationContext } from './configuration-context.ts';
import {
  CHANGE_PARAMETERS,
  changeOptions,
  CONFIG_LIMIT_BYTES,
  CONFIG_TYPES,
  configBody,
  textBody,
} from './config-request.ts';
import { inQuery } from '../endpoints/parameters.ts';

const OBJECT: JsonSchema = { type: 'object', additionalProperties: true };
const TRUE_REPLY = { 200: { description: '`true`', schema: { const: true } } } as const;
const SUCCESS_REPLY = {
  200: {
    description: 'It is done',
    schema: { type: 'object', properties: { success: { const: true, description: 'always true' } } },
  },
} as const;
const CONFIG_REPLY = { 200: { description: 'The configuration', schema: OBJECT } } as const;
const TEXT_BODY = { schema: { type: 'string' }, types: CONFIG_TYPES.slice(1), limitBytes: CONFIG_LIMIT_BYTES } as const;

/** The configuration in the legacy API. */
export function legacyConfigEndpoints(context: ConfigurationContext): readonly Endpoint[] {
  const { configuration } = context;
  const reload: Pick<Endpoint, 'access' | 'handle'> = {
    access: 'edit',
    handle: async (request) =>
      done(request, await configuration.changes.reload(changedBy(request.caller, 'api')), 'whole'),
  };
  return [
    {
      ...doc('GET', '/read_config', 'read_config', 'The configuration in force'),
      parameters: [
        inQuery('skip_streams', 'Whether streams that always run are left out', { type: 'boolean' }),
        inQuery(
          'runtime',
          'Whether the state of the server, of streams, and of archives with their storages and disks is included',
          { type: 'boolean' },
        ),
      ],
      access: 'edit',
      handle: async (request) => {
        const isRunning = flag(request, 'runtime');
        if (isRunning) await context.context.archiveFigures?.refresh();
        return jsonText(
          configView(configuration.document, {
            isLegacy: true,
            skipsStatic: flag(request, 'skip_streams'),
            ...(isRunning ? { runtime: runtimeView(context.context) } : {}),
          }),
        );
      },
    },
    {
      ...doc(
        'POST',
        '/modify_config',
        'modify_config',
        'Merges a fragment of the configuration, JSON or blocks of its text, and saves',
      ),
      parameters: CHANGE_PARAMETERS,
      body: { schema: OBJECT, types: CONFIG_TYPES, limitBytes: CONFIG_LIMIT_BYTES },
      access: 'edit',
      handle: async (request) => {
        const body = await configBody(request);
        const by = changedBy(request.caller, 'api');
        const applied = await (body.text === undefined
          ? configuration.changes.merge(body.json, by, changeOptions(request, configuration))
          : configuration.changes.putText(body.text, by, changeOptions(request, configuration)));
        const sent = body.text === undefined ? body : { blocks: body.text };
        const { json, headers } = await reportOf(request, applied, sent);
        return { ...jsonText(configView(applied.document, { isLegacy: true, more: json })), headers };
      },
    },
    {
      ...doc(
        'POST',
        '/update_config',
        'update_config',
        'Puts a complete text into force without changing the file',
        TRUE_REPLY,
      ),
      parameters: CHANGE_PARAMETERS.filter(({ name }) => name !== 'overwrite'),
      body: TEXT_BODY,
      access: 'edit',
      handle: async (request) =>
        done(
          request,
          await configuration.changes.replace(textBody(request), changedBy(request.caller, 'api'), {
            ...changeOptions(request, configuration),
            isSaved: false,
          }),
          'whole',
        ),
    },
    {
      ...doc(
        'POST',
        '/save_config',
        'save_config',
        'Puts a complete text into force and saves it to the file',
        TRUE_REPLY,
      ),
      parameters: CHANGE_PARAMETERS,
      body: TEXT_BODY,
      access: 'edit',
      handle: async (request) =>
        done(
          request,
          await configuration.changes.replace(
            textBody(request),
            changedBy(request.caller, 'api'),
            changeOptions(request, configuration),
          ),
          'whole',
        ),
    },
    {
      ...doc(
        'POST',
        '/config/stream_create',
        'config_stream_create',
        'Adds or replaces a stream by its text',
        SUCCESS_REPLY,
      ),
      parameters: CHANGE_PARAMETERS,
      body: TEXT_BODY,
      access: 'edit',
      isScoped: true,
      handle: async (request) => {
        const names: string[] = [];
        const options = { ...changeOptions(request, configuration), checkResult: inputCheck('streams', () => names) };
        const requireName = (name: string): void => {
          requireInScope(request.caller, name);
          names.push(name);
        };
        const by = changedBy(request.caller, 'api');
        const rule = { kinds: ['stream'], requireName };
        const applied = await configuration.changes.putText(textBody(request), by, options, rule);
        return success(request, applied, { blocks: textBody(request) });
      },
    },
    {
      ...doc(
        'POST',
        '/config/stream_delete',
        'config_stream_delete',
        'Removes a stream; the body is its name',
        SUCCESS_REPLY,
      ),
      parameters: CHANGE_PARAMETERS,
      body: TEXT_BODY,
      access: 'edit',
      isScoped: true,
      errors: [404],
      handle: async (request) => {
        const name = textBody(request).trim();
        requireInScope(request.caller, name);
        const by = changedBy(request.caller, 'api');
        const applied = await configuration.changes.edit(
          [{ edit: 'removeStream', name }],
          by,
          changeOptions(request, configuration),
        );
        return success(request, applied, { json: {} });
      },
    },
    { ...doc('POST', '/reload', 'reload', 'Reads the configuration file again', TRUE_REPLY), ...reload, errors: [400] },
    {
      ...doc('GET', '/reload', 'reload_get', 'Reads the configuration file again', TRUE_REPLY),
      ...reload,
      errors: [400],
      isDeprecated: true,
      isAction: true,
    },
  ];
}

type Report = Parameters<typeof reportOf>;

/** The legacy API fixes the body, so warnings go into headers, and a dry run reports mistakes only. */
async function done(...report: Report): Promise<Answer> {
  return { status: 200, body: true, headers: (await reportOf(...report)).headers };
}

async function success(...report: Report): Promise<Answer> {
  return { ...(await done(...report)), body: { success: true } };
}

function doc(
  method: EndpointDoc['method'],
  path: string,
  id: string,
  summary: string,
  replies: EndpointDoc['replies'] = CONFIG_REPLY,
): EndpointDoc {
  return { method, path, id, summary, tag: 'legacy', replies };
}
