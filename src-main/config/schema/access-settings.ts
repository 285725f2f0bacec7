import { blockSetting, namedBlocksSetting } from './block-setting.ts';
import { loginSchema, passwordSchema } from './credential-values.ts';
import { listSetting } from './directive.ts';
import { arg, recordSetting, secretArg } from './record.ts';
import { hostNameSchema, identifierSchema, networkSchema, originSchema, pathSchema } from './storage-values.ts';

const CREDENTIALS = { login: arg(loginSchema), password: secretArg(passwordSchema) };

/** Access to the desk and the HTTP APIs. */
export const ACCESS_SETTINGS = {
  editAuth: recordSetting({
    usage: 'edit_auth login password;',
    doc:
      'Login for changes through the desk and the HTTP APIs, and for reading the configuration. Without it, changes are accepted only from the machine of the server. ' +
      'The password may be a hash, made with `npm run serve -- --hash-password`.',
    example: 'edit_auth admin "a long phrase";',
    fields: CREDENTIALS,
  }),
  viewAuth: recordSetting({
    usage: 'view_auth login password;',
    doc: 'Login for reading through the desk and the HTTP APIs; without it, reading needs no login. A login of `edit_auth` may read too. Playback is not affected: players need no login.',
    example: 'view_auth viewer "another phrase";',
    fields: CREDENTIALS,
  }),
  apiAuth: blockSetting({
    block: 'api_auth',
    usage: 'api_auth { login name; password text; }',
    doc: 'Another login for the HTTP APIs under `/streamer/`, besides `edit_auth`, for reading and changing. With it, these APIs always need a login.',
    example: 'api_auth { login admin; password secret; }',
  }),
  apiTokens: namedBlocksSetting({
    json: 'api_tokens',
    block: 'api_token',
    name: identifierSchema,
    usage: 'api_token name { … }',
    doc: 'A token for programs: `Authorization: Bearer airdesk_…`. `scope` sets its rights, and `prefix` its streams. Only its hash is stored; see Security in the documentation.',
    example:
      'api_token monitoring { hash 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824; scope view; prefix studio; }',
  }),
  trustedProxies: listSetting({
    usage: 'trusted_proxies address …;',
    doc: 'Addresses and networks of the proxies in front of this server. Only their `X-Forwarded-For` and `X-Real-IP` headers are trusted. The directive may repeat.',
    example: 'trusted_proxies 127.0.0.1 192.0.2.0/24;',
    value: networkSchema,
  }),
  serverNames: listSetting({
    usage: 'server_name name …;',
    doc:
      'Host names of this machine, besides `localhost` and its own host name. A request without a login counts as coming from this machine only if its `Host` is ' +
      'one of these names or an IP address. Otherwise a web page could reach the server through a name that resolves to this machine.',
    example: 'server_name media.example.org;',
    value: hostNameSchema,
  }),
  apiOrigins: listSetting({
    usage: 'api_origins origin …;',
    doc:
      'Origins of web dashboards, whose pages may use the HTTP APIs from a browser like pages of this server. Pages of other origins may neither read answers nor change anything. ' +
      'The directive may repeat.',
    example: 'api_origins https://dash.example.org;',
    value: originSchema,
  }),
  wallOrigins: listSetting({
    usage: 'wall_origins origin …;',
    doc:
      'Origins of web pages that cells of the wall may show; default: none. A page can neither access the desk nor navigate elsewhere, and a page that forbids frames stays empty. ' +
      'An open desk applies a change after it is reloaded. The directive may repeat.',
    example: 'wall_origins https://graphs.example.org;',
    value: originSchema,
  }),
  allowedPaths: listSetting({
    usage: 'allowed_paths path …;',
    doc:
      'Folders, besides the data folder, whose files may be named through the APIs and the desk in a browser: inputs, playlists, backup files, log files, certificates and so on. ' +
      'Links are resolved when a file is named and each time that an input opens it. Files named in the configuration file may be anywhere, but the entries of a playlist must be in these folders. This directive can only be changed in the file.',
    example: 'allowed_paths /srv/media /mnt/archive;',
    value: pathSchema,
  }),
};
