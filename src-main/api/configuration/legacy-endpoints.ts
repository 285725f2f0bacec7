import { changedBy } from '../../operators/caller.ts';
import { inputCheck } from '../../control/input-check.ts';
import { removeStreams } from '../../control/stream-edits.ts';
import { requireInScope } from '../../operators/require.ts';
import { runtimeView } from './runtime-view.ts';
import { configView } from '../../configuration/configuration-view.ts';
import type { Answer, Endpoint, EndpointRequest } from '../endpoints/endpoint.ts';
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
const SUCCESS = { success: true };
const TRUE_REPLY = { 200: { description: '`true`', schema: { const: true } } } as const;
const SUCCESS_REPLY = {
  200: {
    description: 'It is done',
    schema: { type: 'object', properties: { success: { const: true, description: 'always true' } } },
  },
} as const;
const CONFIG_REPLY = { 200: { description: 'The configuration', schema: OBJECT } } as const;
const TEXT_BODY = { schema: { type: 'string' }, types: CONFIG_TYPES.slice(1), limitBytes: CONFIG_LIMIT_BYTES } as const;

const EDIT = { tag: 'legacy', access: 'edit', replies: CONFIG_REPLY } as const;
const WRITE = { ...EDIT, method: 'POST', parameters: CHANGE_PARAMETERS, body: TEXT_BODY } as const;

export function legacyConfigEndpoints(context: ConfigurationContext): readonly Endpoint[] {
  const { configuration } = context;
  const replace = async (request: EndpointRequest, isSaved: boolean): Promise<Answer> => {
    const options = { ...changeOptions(request, configuration), isSaved };
    const by = changedBy(request.caller, 'api');
    return done(request, await configuration.changes.replace(textBody(request), by, options), 'whole');
  };
  const reload = {
    ...EDIT,
    path: '/reload',
    summary: 'Reads the configuration file again',
    replies: TRUE_REPLY,
    errors: [400],
    handle: async (request: EndpointRequest) =>
      done(request, await configuration.changes.reload(changedBy(request.caller, 'api')), 'whole'),
  } as const;
  return [
    {
      ...EDIT,
      method: 'GET',
      path: '/read_config',
      id: 'read_config',
      summary: 'The configuration in force',
      parameters: [
        inQuery('skip_streams', 'Whether streams that always run are left out', { type: 'boolean' }),
        inQuery(
          'runtime',
          'Whether the state of the server, of streams, and of archives with their storages and disks is included',
          { type: 'boolean' },
        ),
      ],
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
      ...EDIT,
      method: 'POST',
      path: '/modify_config',
      id: 'modify_config',
      summary: 'Merges a fragment of the configuration, JSON or blocks of its text, and saves',
      parameters: CHANGE_PARAMETERS,
      body: { schema: OBJECT, types: CONFIG_TYPES, limitBytes: CONFIG_LIMIT_BYTES },
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
      ...WRITE,
      path: '/update_config',
      id: 'update_config',
      summary: 'Applies a complete text without changing the file',
      replies: TRUE_REPLY,
      parameters: CHANGE_PARAMETERS.filter(({ name }) => name !== 'overwrite'),
      handle: (request) => replace(request, false),
    },
    {
      ...WRITE,
      path: '/save_config',
      id: 'save_config',
      summary: 'Applies a complete text and saves it to the file',
      replies: TRUE_REPLY,
      handle: (request) => replace(request, true),
    },
    {
      ...WRITE,
      path: '/config/stream_create',
      id: 'config_stream_create',
      summary: 'Adds or replaces a stream by its text',
      replies: SUCCESS_REPLY,
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
      ...WRITE,
      path: '/config/stream_delete',
      id: 'config_stream_delete',
      summary: 'Removes a stream; the body is its name',
      replies: SUCCESS_REPLY,
      isScoped: true,
      errors: [404],
      handle: async (request) => {
        const name = textBody(request).trim();
        requireInScope(request.caller, name);
        const by = changedBy(request.caller, 'api');
        const options = changeOptions(request, configuration);
        const applied = await removeStreams(configuration, context.context.streams, [name], by, options);
        return applied ? success(request, applied, { json: {} }) : { status: 200, body: SUCCESS };
      },
    },
    { ...reload, method: 'POST', id: 'reload' },
    { ...reload, method: 'GET', id: 'reload_get', isDeprecated: true, isAction: true },
  ];
}

type Report = Parameters<typeof reportOf>;

/** Answer to a change. The legacy API determines the body, so warnings are in headers, and a dry run reports only mistakes. */
async function done(...report: Report): Promise<Answer> {
  return { status: 200, body: true, headers: (await reportOf(...report)).headers };
}

async function success(...report: Report): Promise<Answer> {
  return { ...(await done(...report)), body: SUCCESS };
}
