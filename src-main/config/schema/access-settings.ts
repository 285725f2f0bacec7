import { blockSetting, namedBlocksSetting } from './block-setting.ts';
import { API_AUTH, API_TOKEN } from './block-tables.ts';
import { loginSchema, passwordSchema } from './credential-values.ts';
import { listSetting } from './directive.ts';
import { arg, recordSetting, secretArg } from './record.ts';
import { hostNameSchema, identifierSchema, networkSchema, originSchema, pathSchema } from './storage-values.ts';

const CREDENTIALS = { login: arg(loginSchema), password: secretArg(passwordSchema) };

/** Access to the desk and the HTTP APIs. */
export const ACCESS_SETTINGS = {
  editAuth: recordSetting({
    change: 'update',
    directive: 'edit_auth',
    usage: 'edit_auth login password;',
    doc:
      'Who may change things through the desk and the HTTP APIs, and read the configuration. Without it changes are taken only from the machine of the server. ' +
      'The password may be a hash, as `npm run serve -- --hash-password` makes one.',
    example: 'edit_auth admin "a long phrase";',
    fields: CREDENTIALS,
  }),
  viewAuth: recordSetting({
    change: 'update',
    directive: 'view_auth',
    usage: 'view_auth login password;',
    doc: 'Who may read through the desk and the HTTP APIs; without it all may. A login of `edit_auth` may read too. Playing is not affected: players need no login.',
    example: 'view_auth viewer "another phrase";',
    fields: CREDENTIALS,
  }),
  apiAuth: blockSetting({
    change: 'update',
    directive: 'api_auth',
    block: 'api_auth',
    table: API_AUTH,
    usage: 'api_auth { login name; password text; }',
    doc: 'Who may use the HTTP APIs under `/streamer/` besides `edit_auth`, to read and to change. With it, they always need a login.',
    example: 'api_auth { login admin; password secret; }',
  }),
  apiTokens: namedBlocksSetting({
    change: 'update',
    directive: 'api_token',
    json: 'api_tokens',
    block: 'api_token',
    table: API_TOKEN,
    name: identifierSchema,
    usage: 'api_token name { … }',
    doc: 'A token for programs: `Authorization: Bearer airdesk_…`. What it may do is its `scope`, and on which streams its `prefix`. Only its hash is kept; see `security.md`.',
    example:
      'api_token monitoring { hash 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824; scope view; prefix studio; }',
  }),
  trustedProxies: listSetting({
    change: 'update',
    directive: 'trusted_proxies',
    usage: 'trusted_proxies address …;',
    doc: 'Addresses and networks of the proxies in front of this server. Only their `X-Forwarded-For` and `X-Real-IP` say where a request comes from. The directive may come several times.',
    example: 'trusted_proxies 127.0.0.1 192.0.2.0/24;',
    value: networkSchema,
  }),
  serverNames: listSetting({
    change: 'update',
    directive: 'server_name',
    usage: 'server_name name …;',
    doc:
      'Names by which this machine is called, besides `localhost` and its host name. Without credentials only requests to one of them, or to an IP address, count as coming from this machine: ' +
      'a page in a browser could give a name of its own to it.',
    example: 'server_name media.example.org;',
    value: hostNameSchema,
  }),
  apiOrigins: listSetting({
    change: 'update',
    directive: 'api_origins',
    usage: 'api_origins origin …;',
    doc:
      'Origins of web dashboards: their pages may use the HTTP APIs from a browser as pages of this server may. Pages of all others may neither read the answers nor change anything. ' +
      'The directive may come several times.',
    example: 'api_origins https://dash.example.org;',
    value: originSchema,
  }),
  wallOrigins: listSetting({
    change: 'update',
    directive: 'wall_origins',
    usage: 'wall_origins origin …;',
    doc:
      'Origins of the web pages that cells of the wall may show; without it they show none. A page can neither reach the desk nor lead elsewhere, one of this server neither, and one that forbids frames stays empty. ' +
      'A desk that is open takes a change when it is loaded again. The directive may come several times.',
    example: 'wall_origins https://graphs.example.org;',
    value: originSchema,
  }),
  allowedPaths: listSetting({
    change: 'update',
    directive: 'allowed_paths',
    usage: 'allowed_paths path …;',
    doc:
      'Folders, besides the data folder, whose files may be named through the APIs and the desk in a browser: inputs, playlists, backup files, log files, certificates and so on. ' +
      'Where links lead to counts, when it is named and each time that an input opens it. What stands in the configuration file may lie anywhere; the entries of a playlist always have to lie in these folders. This directive can only be changed in the file.',
    example: 'allowed_paths /srv/media /mnt/archive;',
    value: pathSchema,
  }),
};
