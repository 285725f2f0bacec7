import { optionalFlag } from '../../../src-preload/contract/api/api-parts.ts';
import { namedBlocksSetting } from './block-setting.ts';
import { NO_SIGNING_KEYS, signingKeysSchema, streamSigningKeysSchema } from './credential-values.ts';
import { flagSetting, optionalSetting, setting } from './directive.ts';
import { recordSetting } from './record.ts';
import { PUBLISH_FIELDS, SESSION_FIELDS } from './session-fields.ts';
import { identifierSchema, pathSchema } from './storage-values.ts';
import { durationSchema } from './value-schema.ts';

/** Authorization backends of a stream's sessions. */
export const SESSION_STREAM_SETTINGS = {
  onPlay: recordSetting({
    change: 'update',
    usage:
      'on_play address|false [max_sessions=n] [soft_limitation=true] [domains=host,…] [allowed_countries=code,…] [disallowed_countries=code,…] [session_keys=name,…] [key=value …];',
    doc: 'Backend that authorizes sessions of this stream: an address, a file with the answer, `auth://name` of an `auth_backend`, or `subscribers://name` of a portal of this server; `false` for none. It takes precedence over `auth`. Other options are passed to it as parameters.',
    about: 'backend that authorizes playback; takes precedence over auth',
    example: 'on_play http://127.0.0.1:3000/play max_sessions=2;',
    fields: SESSION_FIELDS,
  }),
  auth: recordSetting({
    change: 'update',
    usage: 'auth address|false [key=value …];',
    doc: 'The older form of `on_play`; `auth false;` switches the backend of the server off for the stream.',
    about: 'the older form of on_play',
    example: 'auth false;',
    fields: SESSION_FIELDS,
  }),
  onPublish: recordSetting({
    change: 'update',
    usage: 'on_publish address|false [key=value …];',
    doc: 'Backend that authorizes encoders of this stream.',
    about: 'backend that authorizes publishing',
    example: 'on_publish http://127.0.0.1:3000/publish;',
    fields: PUBLISH_FIELDS,
  }),
  isDvrProtected: flagSetting({
    change: 'update',
    directive: 'dvr_protected',
    doc: 'Whether the archive has sessions of its own: the backend is asked with `dvr=true`, even if the viewer may already play the stream live.',
    about: optionalFlag('whether the archive has its own authorization; default false'),
    example: 'dvr_protected;',
  }),
  playKey: optionalSetting({
    change: 'update',
    isSecret: true,
    offWord: NO_SIGNING_KEYS,
    usage: 'play_key key[,older …]|false;',
    doc: 'Only signed addresses play this stream: `?expires=…&sig=…`, signed with one of these keys (see Authorization in the documentation). Up to four keys, so that a new one can be introduced before the old one is removed. With `false` the stream needs no signature, whatever its template and the top level configure.',
    about: 'keys of signed playback addresses, masked; false overrides the top level: no signature is needed',
    example: 'play_key c2VjcmV0LWZvci1wbGF5ZXJz;',
    value: streamSigningKeysSchema,
  }),
  publishKey: optionalSetting({
    change: 'update',
    isSecret: true,
    offWord: NO_SIGNING_KEYS,
    usage: 'publish_key key[,older …]|false;',
    doc: 'An encoder may publish here with a signed address: `?expires=…&sig=…`. With a `password` too, either of them is enough. With `false` no key is valid here, whatever the template and the top level configure.',
    about: 'keys of signed publishing addresses, masked; false overrides the top level: no signature is needed',
    example: 'publish_key c2VjcmV0LWZvci1lbmNvZGVycw;',
    value: streamSigningKeysSchema,
  }),
};

/** Backends of streams without their own, and options of tokens. */
export const SESSION_FILE_SETTINGS = {
  auth: recordSetting({
    usage: 'auth address [key=value …];',
    doc: 'Older form of `on_play` for all streams without their own `on_play` or `auth`; options are passed to the backend as parameters.',
    example: 'auth http://127.0.0.1:3000/auth site=north;',
    fields: SESSION_FIELDS,
  }),
  onPlay: recordSetting({
    usage: 'on_play address [key=value …];',
    doc: 'Backend that authorizes sessions of all streams without their own `on_play` or `auth`.',
    example: 'on_play http://127.0.0.1:3000/play;',
    fields: SESSION_FIELDS,
  }),
  onPublish: recordSetting({
    usage: 'on_publish address [key=value …];',
    doc: 'Backend that authorizes encoders of all streams without their own `on_publish`.',
    example: 'on_publish http://127.0.0.1:3000/publish;',
    fields: PUBLISH_FIELDS,
  }),
  authBackends: namedBlocksSetting({
    json: 'auth_backends',
    block: 'auth_backend',
    name: identifierSchema,
    usage: 'auth_backend name { … }',
    doc: 'Named authorization of sessions by lists and backends. Streams use it with `on_play auth://name`. Tokens are checked before addresses, countries and players, and allowed entries before denied ones; the first match decides. Then the backends are asked.',
    example: 'auth_backend north { backend http://127.0.0.1:3000/auth; allow_default false; }',
  }),
  authToken: setting({
    usage: 'auth_token name;',
    doc: 'Query parameter with the token of a viewer.',
    default: 'token',
    example: 'auth_token key;',
    value: identifierSchema,
  }),
  geoip: optionalSetting({
    usage: 'geoip path;',
    doc: 'A file in the MaxMind DB format (`.mmdb`) with the countries of addresses. Relative paths start from the data folder. Without it, countries are unknown.',
    example: 'geoip /srv/GeoLite2-Country.mmdb;',
    value: pathSchema,
  }),
  asRunKeptMs: setting({
    usage: 'ads_log_retention time;',
    doc: 'Time that the log of sent advertisements is kept.',
    default: '400d',
    example: 'ads_log_retention 90d;',
    value: durationSchema('s', 86_400_000, 315_360_000_000),
  }),
  operationsHotMs: setting({
    usage: 'operations_log_hot time;',
    doc: 'Time that operations of subscribers stay in the database. Older ones are moved to a compressed file for each month; finding them takes longer.',
    default: '90d',
    example: 'operations_log_hot 30d;',
    value: durationSchema('s', 86_400_000, 315_360_000_000),
  }),
  operationsWarmMs: setting({
    usage: 'operations_log_archive time;',
    doc: 'Age at which the operations of a month are compressed further and moved to the cold folder.',
    default: '365d',
    example: 'operations_log_archive 400d;',
    value: durationSchema('s', 86_400_000, 315_360_000_000),
  }),
  operationsColdFolder: optionalSetting({
    usage: 'operations_log_cold path;',
    doc: 'Folder of months older than `operations_log_archive`; default `operations/cold` in the data folder. Relative paths start in the data folder. Months that are already elsewhere stay there.',
    example: 'operations_log_cold /mnt/slow/operations;',
    value: pathSchema,
  }),
  hasNoAutoToken: flagSetting({
    directive: 'no_auto_token',
    doc: 'Refuses viewers without a token instead of generating one.',
    example: 'no_auto_token;',
  }),
  playKey: optionalSetting({
    isSecret: true,
    usage: 'play_key key[,older …];',
    doc: 'Signing keys of all streams without their own `play_key`.',
    example: 'play_key c2VjcmV0LWZvci1wbGF5ZXJz;',
    value: signingKeysSchema,
  }),
  publishKey: optionalSetting({
    isSecret: true,
    usage: 'publish_key key[,older …];',
    doc: 'Publishing keys of all streams without their own `publish_key`.',
    example: 'publish_key c2VjcmV0LWZvci1lbmNvZGVycw;',
    value: signingKeysSchema,
  }),
};
