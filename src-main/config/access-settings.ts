import { blockSetting } from './block-setting.ts';
import { API_AUTH } from './block-tables.ts';
import { arg, recordSetting, secretArg } from './record.ts';
import { textSchema } from './value-schema.ts';

const CREDENTIALS = { login: arg(textSchema(200)), password: secretArg(textSchema(200)) };

/** Who may use the HTTP APIs. */
export const ACCESS_SETTINGS = {
  editAuth: recordSetting({
    change: 'update',
    isLater: true,
    directive: 'edit_auth',
    usage: 'edit_auth login password;',
    doc: 'Who may change things through the HTTP API, and read the configuration. Without it (and without `api_auth`) changes are taken only from the machine of the server.',
    example: 'edit_auth admin "a long phrase";',
    fields: CREDENTIALS,
  }),
  viewAuth: recordSetting({
    change: 'update',
    isLater: true,
    directive: 'view_auth',
    usage: 'view_auth login password;',
    doc: 'Who may look at things through the HTTP API. Whoever may change things may look too.',
    example: 'view_auth viewer "another phrase";',
    fields: CREDENTIALS,
  }),
  apiAuth: blockSetting({ change: 'update', isLater: true, directive: 'api_auth', block: 'api_auth', table: API_AUTH, usage: 'api_auth { login name; password text; }', doc: 'Who may use the HTTP API, as a block: the same as `edit_auth`.', example: 'api_auth { login admin; password secret; }' }),
};
