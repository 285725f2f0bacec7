import { namedBlocksSetting } from './block-setting.ts';
import { AUTH_BACKEND } from './block-tables.ts';
import { NO_SIGNING_KEYS, signingKeysSchema, streamSigningKeysSchema } from './credential-values.ts';
import { optionalSetting, setting } from './directive.ts';
import { recordSetting } from './record.ts';
import { PUBLISH_FIELDS, SESSION_FIELDS } from './session-fields.ts';
import { identifierSchema, pathSchema } from './storage-values.ts';
import { durationSchema, flagSchema } from './value-schema.ts';

/** Backends that decide about the sessions of a stream. */
export const SESSION_STREAM_SETTINGS = {
  onPlay: recordSetting({
    change: 'update',
    directive: 'on_play',
    usage:
      'on_play address|false [max_sessions=n] [soft_limitation=true] [domains=host,…] [allowed_countries=code,…] [disallowed_countries=code,…] [session_keys=name,…] [key=value …];',
    doc: 'The backend that is asked before a session may play this stream: an address, a file with the answer, `auth://name` of an `auth_backend`, or `subscribers://name` of a portal of this server; with `false` none is asked. It comes before `auth`. Options that are not named here go to it as parameters.',
    example: 'on_play http://127.0.0.1:3000/play max_sessions=2;',
    fields: SESSION_FIELDS,
  }),
  auth: recordSetting({
    change: 'update',
    directive: 'auth',
    usage: 'auth address|false [key=value …];',
    doc: 'The older form of `on_play`; `auth false;` switches the backend of the server off for the stream.',
    example: 'auth false;',
    fields: SESSION_FIELDS,
  }),
  onPublish: recordSetting({
    change: 'update',
    directive: 'on_publish',
    usage: 'on_publish address|false [key=value …];',
    doc: 'The backend that is asked before an encoder may publish this stream.',
    example: 'on_publish http://127.0.0.1:3000/publish;',
    fields: PUBLISH_FIELDS,
  }),
  isDvrProtected: setting({
    change: 'update',
    directive: 'dvr_protected',
    form: 'flag',
    usage: 'dvr_protected [true|false];',
    doc: 'Whether the archive is a session of its own: the backend is asked about it with `dvr=true`, also where the viewer may see the stream live.',
    default: 'false',
    example: 'dvr_protected;',
    value: flagSchema,
  }),
  playKey: optionalSetting({
    change: 'update',
    directive: 'play_key',
    isSecret: true,
    offWord: NO_SIGNING_KEYS,
    usage: 'play_key key[,older …]|false;',
    doc: 'Only signed addresses play this stream: `?expires=…&sig=…`, signed with one of these keys (see `authorization.md`). Up to four keys, so that a new one can come into use before the old one goes. With `false` the stream needs none, whatever its template and the top level say.',
    example: 'play_key c2VjcmV0LWZvci1wbGF5ZXJz;',
    value: streamSigningKeysSchema,
  }),
  publishKey: optionalSetting({
    change: 'update',
    directive: 'publish_key',
    isSecret: true,
    offWord: NO_SIGNING_KEYS,
    usage: 'publish_key key[,older …]|false;',
    doc: 'An encoder may publish here with a signed address: `?expires=…&sig=…`. Where there is a `password` too, either lets it in. With `false` no key holds here, whatever the template and the top level say.',
    example: 'publish_key c2VjcmV0LWZvci1lbmNvZGVycw;',
    value: streamSigningKeysSchema,
  }),
};

/** Backends of streams without their own, and how tokens are used. */
export const SESSION_FILE_SETTINGS = {
  auth: recordSetting({
    change: 'update',
    directive: 'auth',
    usage: 'auth address [key=value …];',
    doc: 'The older form of `on_play` for all streams that have neither of their own; options go to the backend as parameters.',
    example: 'auth http://127.0.0.1:3000/auth site=north;',
    fields: SESSION_FIELDS,
  }),
  onPlay: recordSetting({
    change: 'update',
    directive: 'on_play',
    usage: 'on_play address [key=value …];',
    doc: 'The backend that is asked before a session may play, for all streams without an `on_play` or `auth` of their own.',
    example: 'on_play http://127.0.0.1:3000/play;',
    fields: SESSION_FIELDS,
  }),
  onPublish: recordSetting({
    change: 'update',
    directive: 'on_publish',
    usage: 'on_publish address [key=value …];',
    doc: 'The backend that is asked before an encoder may publish, for all streams without an `on_publish` of their own.',
    example: 'on_publish http://127.0.0.1:3000/publish;',
    fields: PUBLISH_FIELDS,
  }),
  authBackends: namedBlocksSetting({
    change: 'update',
    directive: 'auth_backend',
    json: 'auth_backends',
    block: 'auth_backend',
    table: AUTH_BACKEND,
    name: identifierSchema,
    usage: 'auth_backend name { … }',
    doc: 'A named way to decide about sessions: lists, and backends. Streams use it with `on_play auth://name`. Tokens come before addresses before countries before players, allowed before denied; what fits first holds. Then the backends are asked.',
    example: 'auth_backend north { backend http://127.0.0.1:3000/auth; allow_default false; }',
  }),
  authToken: setting({
    change: 'update',
    directive: 'auth_token',
    usage: 'auth_token name;',
    doc: 'The query parameter that carries the token of a viewer.',
    default: 'token',
    example: 'auth_token key;',
    value: identifierSchema,
  }),
  geoip: optionalSetting({
    change: 'update',
    directive: 'geoip',
    usage: 'geoip path;',
    doc: 'A file in the MaxMind DB format (`.mmdb`) with the countries of addresses. Relative paths start from the data folder. Without it no country is known.',
    example: 'geoip /srv/GeoLite2-Country.mmdb;',
    value: pathSchema,
  }),
  asRunKeptMs: setting({
    change: 'update',
    directive: 'ads_log_retention',
    usage: 'ads_log_retention time;',
    doc: 'How long the log of advertisements that were sent is kept.',
    unit: 'seconds',
    default: '400d',
    example: 'ads_log_retention 90d;',
    value: durationSchema('s', 86_400_000, 315_360_000_000),
  }),
  hasNoAutoToken: setting({
    change: 'update',
    directive: 'no_auto_token',
    form: 'flag',
    usage: 'no_auto_token [true|false];',
    doc: 'Viewers without a token are refused instead of being given one.',
    default: 'false',
    example: 'no_auto_token;',
    value: flagSchema,
  }),
  playKey: optionalSetting({
    change: 'update',
    directive: 'play_key',
    isSecret: true,
    usage: 'play_key key[,older …];',
    doc: 'The same for all streams without a `play_key` of their own.',
    example: 'play_key c2VjcmV0LWZvci1wbGF5ZXJz;',
    value: signingKeysSchema,
  }),
  publishKey: optionalSetting({
    change: 'update',
    directive: 'publish_key',
    isSecret: true,
    usage: 'publish_key key[,older …];',
    doc: 'The same for all streams without a `publish_key` of their own.',
    example: 'publish_key c2VjcmV0LWZvci1lbmNvZGVycw;',
    value: signingKeysSchema,
  }),
};
