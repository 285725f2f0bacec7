import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { blockSetting, namedBlocksSetting } from './block-setting.ts';
import { type DirectiveEntry, flagSetting, listSetting, optionalSetting, setting } from './directive.ts';
import { arg, namedRecordsSetting, optionalArg } from './record.ts';
import { choiceSchema, identifierSchema, pathSchema, sizeSchema } from './storage-values.ts';
import { listenerSchema, nameSchema, textSchema, valueSchema } from './value-schema.ts';

const RESERVED = { isReserved: true } as const;

function ports(
  directive: string,
  what: string,
  example: string,
): ReturnType<typeof listSetting<{ readonly host: string | null; readonly port: number }>> {
  return listSetting({
    ...RESERVED,
    usage: `${directive} [host:]port …;`,
    doc: `Port for ${what}.`,
    example: `${directive} ${example};`,
    value: listenerSchema,
  });
}

/** Another server: its host, with an optional port and scheme. */
const serverName = valueSchema(because('value_server'), (text) =>
  /^([a-z][a-z0-9+.-]*:\/\/)?[\p{L}\p{N}[][\p{L}\p{N}.:\]_/-]{0,252}$/iu.test(text) ? text : undefined,
);

/** Top-level settings that are validated but have no effect yet. */
export const RESERVED_FILE_SETTINGS = {
  rtsp: ports('rtsp', 'RTSP players and publishers', '554'),
  srt: ports('srt', 'SRT callers', '9998'),
  snmp: ports('snmp', 'SNMP agents', '4000'),
  mysql: ports('mysql', 'clients that read statistics in the MySQL protocol', '3307'),
  clusterKey: optionalSetting({
    ...RESERVED,
    isSecret: true,
    usage: 'cluster_key text;',
    doc: 'The secret that the servers of a cluster share.',
    example: 'cluster_key "only between us";',
    value: textSchema(200),
  }),
  logLevel: setting({
    ...RESERVED,
    usage: 'loglevel debug|info|warn|error;',
    doc: 'Log level.',
    default: 'info',
    example: 'loglevel debug;',
    value: choiceSchema(['debug', 'info', 'notice', 'warn', 'warning', 'error', 'alert']),
  }),
  isLoggingRequests: flagSetting({
    ...RESERVED,
    directive: 'log_requests',
    doc: 'Whether every HTTP request is logged.',
    example: 'log_requests true;',
  }),
  root: optionalSetting({
    ...RESERVED,
    usage: 'root path;',
    doc: 'The folder at which relative paths of this text start.',
    example: 'root /srv/airdesk;',
    value: pathSchema,
  }),
  pulsedb: optionalSetting({
    ...RESERVED,
    usage: 'pulsedb path;',
    doc: 'Storage of measurements.',
    example: 'pulsedb /var/lib/airdesk/pulse;',
    value: pathSchema,
  }),
  vods: namedBlocksSetting({
    aliases: ['file'],
    json: 'vods',
    block: 'vod',
    name: nameSchema,
    usage: 'vod prefix { … }',
    doc: 'A VOD location: recorded files, played under the prefix. The older form is `file prefix { path …; }`.',
    example: 'vod clips { storage /srv/clips; }',
  }),
  dvrs: namedBlocksSetting({
    json: 'dvrs',
    block: 'dvr',
    name: identifierSchema,
    usage: 'dvr name { … }',
    doc: 'A named storage for archives; streams record to it with `dvr @name`.',
    example: 'dvr main { root /mnt/archive; disk volume1; disk volume2 keep; }',
  }),
  fileProcessor: blockSetting({
    block: 'file_processor',
    usage: 'file_processor { … }',
    doc: 'Makes clips for advertisements: jobs of the API convert files to the format of a stream (see Advertisements in the documentation).',
    example: 'file_processor { path clips; }',
  }),
  sources: namedBlocksSetting({
    ...RESERVED,
    json: 'sources',
    block: 'source',
    name: serverName,
    usage: 'source host { … }',
    doc: 'A server whose streams are offered here too.',
    example: 'source north.example.org { only cam1 cam2; }',
  }),
  peers: namedBlocksSetting({
    ...RESERVED,
    json: 'peers',
    block: 'peer',
    name: serverName,
    usage: 'peer host { … }',
    doc: 'Another server of the cluster.',
    example: 'peer south.example.org { cluster_key "only between us"; }',
  }),
  rproxy: blockSetting({
    ...RESERVED,
    block: 'rproxy',
    usage: 'rproxy { … }',
    doc: 'The gateway through which agents at cameras connect.',
    example: 'rproxy { streampoint_key abc; }',
  }),
  caches: namedRecordsSetting({
    ...RESERVED,
    json: 'caches',
    usage: 'cache name path [size];',
    doc: 'A named cache on disk for segments.',
    example: 'cache fast /mnt/ssd 500G;',
    fields: { name: arg(identifierSchema), path: arg(pathSchema), limitBytes: optionalArg(sizeSchema, 'size') },
  }),
  logos: namedBlocksSetting({
    ...RESERVED,
    json: 'logos',
    block: 'logo',
    name: identifierSchema,
    usage: 'logo name { … }',
    doc: 'A named picture for the corner of streams.',
    example: 'logo station { path /srv/logo.png; }',
  }),
};

/** Top-level directives that are kept as written, because other programs define their content. */
export const FREE_FORM_DIRECTIVES: readonly DirectiveEntry[] = [
  {
    directive: 'plugins',
    usage: 'plugins { … }',
    doc: 'Settings of plugins, by their name.',
    example: 'plugins { clock { zone utc; } }',
  },
  {
    directive: 'plugin',
    usage: 'plugin name { … }',
    doc: 'Settings of one plugin.',
    example: 'plugin clock { zone utc; }',
  },
];
