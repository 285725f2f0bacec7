import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { z } from 'zod';
import { optionalInteger, optionalNumber, optionalText, optionsSchema, recordingSchema, text } from '../../../src-preload/contract/api/api-parts.ts';
import { disksSchema } from '../../../src-preload/contract/api/dvr-object.ts';
import { loginSchema, passwordSchema } from './credential-values.ts';
import { flagSetting, listSetting, optionalSetting, setting, type SettingTable } from './directive.ts';
import { arg, described, flagOption, option, optionalArg, otherOptions, partly, recordSetting, recordsSetting } from './record.ts';
import { archiveTime } from './recording-fields.ts';
import { SESSION_FIELDS } from './session-fields.ts';
import { maskAddress } from './secrets.ts';
import { isFolder, isSupportedBackend, isSinkAddress, namedBackendSchema, choiceSchema, countrySchema, dayTimeSchema, dayTimeWord, httpUrlSchema, identifierSchema, networkSchema, pathSchema, percentSchema, placeSchema, sizeSchema, urlSchema } from './storage-values.ts';
import { durationSchema, flagSchema, integerSchema, limitSchema, nameSchema, textSchema, valueSchema } from './value-schema.ts';

const RESERVED = { isReserved: true } as const;
const seconds = durationSchema('s', 100, 86_400_000);
const secret = textSchema(200);

const API_AUTH = {
  login: optionalSetting({ usage: 'login name;', doc: 'The login.', example: 'login admin;', value: loginSchema }),
  password: optionalSetting({ isSecret: true, usage: 'password text;', doc: 'Password or its hash.', example: 'password "a long phrase";', value: passwordSchema }),
};

export const API_TOKEN = {
  hash: optionalSetting({ isSecret: true, usage: 'hash digits;', doc: 'The SHA-256 of the token, in hexadecimal. Without it the token is refused.', about: 'SHA-256 of the token in hexadecimal; masked', example: 'hash 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824;', value: valueSchema(because('value_token_hash'), (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined)) }),
  scope: setting({ usage: 'scope view|operate|admin;', doc: '`view` allows reading; `operate` also allows restarting streams, choosing inputs and ending sessions; `admin` also allows changing and reading the configuration.', default: 'view', about: 'scope of the token', example: 'scope operate;', value: choiceSchema(['view', 'operate', 'admin']) }),
  prefixes: listSetting({ json: 'prefixes', usage: 'prefix name …;', doc: 'Limits the token to streams with these names and all names below them; default: all streams.', about: 'name prefixes of the streams that the token may use; default: all streams', example: 'prefix studio;', value: nameSchema }),
};

export const AUTH_BACKEND = {
  backends: recordsSetting({ json: 'backends', usage: 'backend address|path [key=value …];', doc: 'A backend to ask: an address, a file with the answer as JSON, or a portal of this server (`subscribers://name`), which decides about viewers and never about encoders. Several backends are asked at once, and one that allows is enough.', about: z.array(z.object({ url: text('URL of the backend, or a file with the answer as JSON'), extra: optionsSchema.optional().describe('additional parameters sent to the backend, by name') })).meta({ 'x-key': 'url', description: 'requested in parallel; the viewer is admitted if one of them allows it' }), example: 'backend http://127.0.0.1:3000/auth;', fields: { url: partly(arg(namedBackendSchema), isSupportedBackend), extra: otherOptions('extra') } }),
  isAllowedByDefault: flagSetting({ directive: 'allow_default', doc: 'Decision for a new session if no backend answers, or if there is no backend and no list matches.', about: 'result if no backend answers and no list matches; default false', example: 'allow_default true;' }),
  allowedTokens: rule('allow_tokens', 'token …', 'Tokens that are allowed without asking.', 'tokens that are allowed without a request', 'abc def', textSchema(1000), true),
  allowedNetworks: rule('allow_ips', 'address …', 'Addresses or networks that are allowed without asking.', 'addresses or networks that are allowed without a request', '192.0.2.0/24', networkSchema),
  allowedCountries: rule('allow_countries', 'code …', 'Countries that are allowed without asking.', 'two-letter country codes that are allowed without a request', 'DE AT', countrySchema),
  allowedPlayers: rule('allow_uas', 'text …', 'Players that are allowed without asking, by the beginning of their name.', 'players that are allowed without a request, by the start of their User-Agent', 'VLC', textSchema(500)),
  deniedTokens: rule('deny_tokens', 'token …', 'Tokens that are denied without asking.', 'tokens that are denied without a request', 'abc def', textSchema(1000), true),
  deniedNetworks: rule('deny_ips', 'address …', 'Addresses or networks that are denied without asking.', 'addresses or networks that are denied without a request', '192.0.2.0/24', networkSchema),
  deniedCountries: rule('deny_countries', 'code …', 'Countries that are denied without asking.', 'two-letter country codes that are denied without a request', 'DE AT', countrySchema),
  deniedPlayers: rule('deny_uas', 'text …', 'Players that are denied without asking, by the beginning of their name.', 'players that are denied without a request, by the start of their User-Agent', 'VLC', textSchema(500)),
};

export const VOD = {
  storages: listSetting({ aliases: ['path'], json: 'storages', usage: 'storage path|address …;', doc: 'Storage of the files; several storages are searched in order.', about: z.array(z.object({ url: text('path of a folder, or URL of a remote location') })).meta({ 'x-key': 'url', description: 'searched in order' }), example: 'storage /srv/clips;', value: placeSchema, hasEffect: isFolder }),
  position: optionalSetting({ usage: 'position number;', doc: 'Position in lists.', about: 'sort position in lists: smaller numbers first', example: 'position 2;', value: integerSchema(-1_000_000_000, 1_000_000_000) }),
  isDisabled: flagSetting({ directive: 'disabled', doc: 'Whether the files cannot be played.', about: 'whether the location is switched off but stays in the configuration; default false', example: 'disabled;' }),
  isFolderMultibitrate: flagSetting({ directive: 'auto_mbr', doc: 'Whether a folder is played as one film. Its qualities are the files in the folder whose names start with the name of the folder.', about: 'whether files of one folder are renditions of each other; default false', example: 'auto_mbr true;' }),
  onPlay: recordSetting({ usage: 'on_play address|false [key=value …];', doc: 'Backend that authorizes sessions.', about: 'backend that authorizes playback', example: 'on_play http://127.0.0.1:3000/play;', fields: SESSION_FIELDS }),
  auth: recordSetting({ usage: 'auth address|false [key=value …];', doc: 'The older form of `on_play`.', about: 'the older form of on_play', example: 'auth http://127.0.0.1:3000/auth;', fields: SESSION_FIELDS }),
  cache: optionalSetting({ ...RESERVED, usage: 'cache name;', doc: 'Cache for files of a remote storage.', about: 'name of the cache for files of a remote location', example: 'cache fast;', value: identifierSchema }),
  readQueue: optionalSetting({ ...RESERVED, usage: 'read_queue number;', doc: 'Number of parallel reads.', about: 'number of concurrent reads', example: 'read_queue 8;', value: integerSchema(1, 10_000) }),
  isDownloadAllowed: flagSetting({ directive: 'download', doc: 'Whether unchanged files may be downloaded at `/PREFIX/PATH`.', about: 'whether complete files may be downloaded; default false', example: 'download true;' }),
  thumbnails: optionalSetting({ ...RESERVED, form: 'flag', usage: 'thumbnails [on|off];', doc: 'Whether thumbnails for seeking are made.', about: 'whether thumbnails for seeking are created', example: 'thumbnails on;', value: flagSchema }),
  protocols: listSetting({ usage: 'protocols name …;', doc: 'Protocols by which files may be played.', about: z.array(z.string()).optional().describe('allowed playback protocols; a leading - excludes one; default: all'), example: 'protocols hls dash;', value: choiceSchema(['hls', 'cmaf', 'dash', 'mss', 'mpegts', 'rtmp', 'rtsp', 'mp4', 'jpeg', 'player', 'api']) }),
  segmentDurationMs: optionalSetting({ usage: 'segment_duration time;', doc: 'Minimum length of a segment; default 6 s.', about: 'minimum duration of a segment in seconds', example: 'segment_duration 4;', value: durationSchema('s', 500, 60_000) }),
  timeoutMs: optionalSetting({ ...RESERVED, usage: 'timeout time;', doc: 'Maximum time for an answer of a remote storage.', about: 'timeout of a remote location, in seconds', example: 'timeout 10;', value: seconds }),
  logo: optionalSetting({ ...RESERVED, usage: 'logo path|@name;', doc: 'A picture in a corner of the player.', about: 'logo in a corner of the player: a path, or @ and a name', example: 'logo /srv/logo.png;', value: pathSchema }),
  drm: recordSetting({ ...RESERVED, usage: 'drm name [key=value …];', doc: 'Encryption of segments.', about: 'encryption of segments', example: 'drm aes128 keyserver=http://127.0.0.1:3000/key;', fields: { vendor: described(arg(identifierSchema), 'the scheme, such as aes128'), options: otherOptions() } }),
};

export const DVR = {
  root: optionalSetting({ usage: 'root path|address;', doc: 'The folder that holds the archive or its disks: absolute, or below the data folder.', about: 'parent folder of the disks', example: 'root /mnt/archive;', value: placeSchema }),
  raid: optionalSetting({ usage: 'raid 0|1;', doc: 'Number of copies of each block on other disks: `0` for none, `1` for one, made when the block is finished.', about: 'distribution of blocks over the disks: 0 or 1', example: 'raid 1;', value: integerSchema(0, 1) }),
  active: optionalSetting({ usage: 'active number;', doc: 'Number of disks that are written in parallel; default: all. If one of them is full or fails, another one is used.', about: 'number of disks written at the same time', example: 'active 2;', value: integerSchema(1, 1000) }),
  disks: recordsSetting({ json: 'disks', usage: 'disk path [normal|keep|migrate|readonly|rescue|abandon];', doc: 'A disk below `root`, and its use. Only `normal` disks are written, and each block goes to the one with the most free space. `keep` and `readonly` disks are only played. Blocks on `migrate` disks are moved to normal ones; blocks on `rescue` disks are copied to them and stay. `abandon` disks are ignored, and their files stay.', about: disksSchema, example: 'disk volume2 keep;', fields: { path: arg(pathSchema), mode: optionalArg(choiceSchema(['normal', 'keep', 'migrate', 'readonly', 'rescue', 'abandon'])) } }),
  mustBeMounted: optionalSetting({ form: 'flag', usage: 'check_mount [true|false];', doc: 'Whether the server writes to a disk (or to `root`, if there are no disks) only while it is a mount point. If a mount is missing, its folder is on the system disk. Without this setting, the server checks only disks that were mount points since it started.', about: 'whether a disk must be mounted to be used', example: 'check_mount true;', value: flagSchema }),
  expirationMs: optionalSetting({ usage: 'expiration time;', doc: 'Time that recordings are kept, also those of streams that are no longer configured; a stream may override it.', about: 'retention in seconds', example: 'expiration 7d;', value: archiveTime }),
  episodesExpirationMs: optionalSetting({ usage: 'episodes_expiration time;', doc: 'Time that episodes without their own expiry are kept after their end; default: until they are deleted.', about: 'retention of episodes without one of their own, in seconds after their end', example: 'episodes_expiration 30d;', value: archiveTime }),
  episodesUrl: optionalSetting({ ...RESERVED, usage: 'episodes_url address;', doc: 'Source of the list of episodes to keep.', about: 'URL of the list of episodes to keep', example: 'episodes_url http://127.0.0.1:3000/episodes;', value: httpUrlSchema }),
  limitBytes: optionalSetting({ usage: 'storage_limit size;', doc: 'Maximum size of all recordings on its disks, including streams that are no longer configured. The oldest blocks are deleted once a minute.', about: 'maximum size of the archive in bytes', example: 'storage_limit 500G;', value: sizeSchema }),
  diskUsagePercent: optionalSetting({ usage: 'disk_usage_limit percent;', doc: 'Maximum use of a disk.', about: 'maximum usage of a disk in percent', example: 'disk_usage_limit 90%;', value: percentSchema }),
  schedule: listSetting({ usage: 'schedule hhmm-hhmm …;', doc: 'Times of day at which to record, in UTC; default: always. A range may extend past midnight.', about: 'ranges of the day as [hhmm, hhmm], UTC', example: 'schedule 0800-1800;', value: dayTimeSchema, toWord: dayTimeWord }),
  copy: optionalSetting({ ...RESERVED, usage: 'copy address;', doc: 'Target for copies of complete hours.', about: 'URL to which finished hours are copied', example: 'copy file:///mnt/copy;', value: urlSchema(['file', 's3', 'http', 'https'], 'file:///mnt/copy') }),
  isOffline: flagSetting({ directive: 'dvr_offline', doc: 'Whether recording of a stream waits until `dvr_enable` of the legacy API switches it on.', about: 'whether recording waits until it is started by hand; default false', example: 'dvr_offline true;' }),
  isReplicating: flagSetting({ ...RESERVED, directive: 'dvr_replicate', doc: 'Whether missing parts are loaded from the source.', about: 'whether missing parts are copied from the source; default false', example: 'dvr_replicate true;' }),
  replicationBytesPerSecond: optionalSetting({ ...RESERVED, usage: 'replication_speed size;', doc: 'Maximum bandwidth of replication.', about: 'maximum replication rate, in bytes per second', example: 'replication_speed 10M;', value: sizeSchema }),
  replicationPort: optionalSetting({ ...RESERVED, usage: 'replication_port port;', doc: 'The port of the source for replication.', about: 'port on the source for replication', example: 'replication_port 8080;', value: integerSchema(1, 65_535) }),
  hasNoIndex: flagSetting({ ...RESERVED, directive: 'no_index', doc: 'Whether the database has no catalog.', about: 'whether the catalog is kept out of the database; default false', example: 'no_index true;' }),
};


/** Conditions on an event, all of which must match. The values of one condition, `a,b` or a list, are alternatives. */
const conditionSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

const filter = (directive: 'only' | 'except', doc: string, about: string, example: string) =>
  recordsSetting({ usage: `${directive} key=value[,value …] …;`, doc, about: z.array(conditionSchema).optional().describe(about), example, fields: { conditions: otherOptions() } });

/** Secret of Standard Webhooks 1.0.0: 24 to 64 bytes in base64. */
const webhookSecret = valueSchema(because('value_webhook_secret'), (text) => {
  const bytes = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/.exec(text)?.[1];
  const length = bytes === undefined ? 0 : Buffer.from(bytes, 'base64').length;
  return length >= 24 && length <= 64 ? text : undefined;
});

export const EVENT_SINK = {
  url: optionalSetting({ hasEffect: isSinkAddress, aliases: ['sink'], usage: 'url address|path;', doc: 'Target of events: `http(s)://` posts them as JSON; `log://` and `jsonlog://` write them to a file, whose path is absolute (`log:///var/log/events.log`) or relative to the data folder (`log://events.log`). Scripts are accepted but not run: such a sink reports it.', about: 'http(s):// posts events as JSON; log:// and jsonlog:// write them to a file; passwords masked', example: 'url http://127.0.0.1:3000/events;', value: valueSchema(because('value_sink'), (text) => (placeSchema.safeParse(text).success && (/^(https?|log|jsonlog):\/\/\S+$/.test(text) || /^[\w./~-]+$/.test(text)) ? text : undefined), { toJson: maskAddress }) }),
  only: filter('only', 'Sends only matching events. An event must match all conditions of one directive, each with one of its values; `*` is a wildcard. With several directives, one match is enough.', 'events that match at least one condition; * matches any text', 'only event=stream_*,play_opened media=news*;'),
  except: filter('except', 'Leaves out matching events. It has the syntax of `only` and takes precedence over it.', 'events that match no condition', 'except media=test_*;'),
  throttleDelayMs: setting({ usage: 'throttle_delay time;', doc: 'Time for collecting events before they are sent. A hundred events are sent at once.', default: '0', about: optionalNumber('seconds for which events are batched; default 0'), example: 'throttle_delay 1;', value: durationSchema('s', 0, 3_600_000) }),
  resendLimit: optionalSetting({ usage: 'resend_limit number|unlimited;', doc: 'Maximum number of events that are kept for a receiver that does not accept them. Beyond it, the oldest ones become dead letters. Default, and with `unlimited`: as many as fit into 256 MB.', about: 'maximum number of undelivered events; default: as many as fit into 256 MB', example: 'resend_limit 10000;', value: limitSchema(100_000_000) }),
  resendTimeoutMs: optionalSetting({ usage: 'resend_timeout time;', doc: 'Delay before undelivered events are sent again. By default it grows from one second to a minute.', about: 'seconds between attempts; without it the delay grows from 1 to 60', example: 'resend_timeout 10;', value: seconds }),
  maxBytes: setting({ usage: 'max_size size;', doc: 'Size of a log file at which the next one is started.', default: '100M', about: optionalInteger('size in bytes at which a log file is rotated; default 100 MB'), example: 'max_size 20M;', value: sizeSchema }),
  maxFiles: setting({ usage: 'max_depth number;', doc: 'Number of old log files to keep, as `name.1`, `name.2` and so on.', default: '5', about: optionalInteger('number of old log files; default 5'), example: 'max_depth 10;', value: integerSchema(0, 1000) }),
  level: optionalSetting({ usage: 'level debug|info|notice|warn|error|alert;', doc: 'Minimum level of events to send; each kind has a level (see Events in the documentation).', about: optionalText('minimum level: debug, info, notice, warn, error or alert; default: all'), example: 'level info;', value: choiceSchema(['debug', 'info', 'notice', 'warn', 'warning', 'error', 'alert']) }),
  extra: recordSetting({ usage: 'extra key=value …;', doc: 'Facts that are added to every event. Facts of the event itself take precedence.', about: 'additional parameters sent with every event, by name', example: 'extra site=north;', fields: { values: otherOptions() } }),
  secrets: listSetting({ isSecret: true, usage: 'secret text …;', doc: 'Signs posted events by Standard Webhooks 1.0.0. Several secrets give one signature each, so that receivers can change to a new one.', about: z.union([z.string(), z.array(z.string())]).optional().describe('key of the signature (Standard Webhooks); masked'), example: 'secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw;', value: webhookSecret }),
};

/** Maximum number of clips that are converted in parallel. */
const MAX_CLIP_JOBS = 8;

export const FILE_PROCESSOR = {
  path: optionalSetting({ usage: 'path vod|path;', doc: 'Storage of the clips: the name of a `vod`, or its folder.', example: 'path clips;', value: pathSchema }),
  jobs: optionalSetting({ usage: 'jobs number;', doc: 'Number of clips that are made in parallel, 1 to 8; default 1. Each uses up to half of the processors, with lower priority than everything live.', example: 'jobs 2;', value: integerSchema(1, MAX_CLIP_JOBS) }),
};

export const SOURCE = {
  clusterKey: optionalSetting({ ...RESERVED, isSecret: true, usage: 'cluster_key text;', doc: 'The secret shared with that server.', about: 'shared secret of both servers; masked', example: 'cluster_key "only between us";', value: secret }),
  only: listSetting({ ...RESERVED, usage: 'only name …;', doc: 'Takes only these streams.', about: 'names of the streams to take; default: all', example: 'only cam1 cam2;', value: nameSchema }),
  except: listSetting({ ...RESERVED, usage: 'except name …;', doc: 'Leaves out these streams.', about: 'names of the streams to leave out', example: 'except test;', value: nameSchema }),
  dvr: recordSetting({ ...RESERVED, usage: 'dvr path|@storage [time];', doc: 'Records the streams taken.', about: recordingSchema.optional().describe('recording of the streams taken from it'), example: 'dvr @main 1d;', fields: { place: arg(placeSchema, 'root'), expirationMs: optionalArg(archiveTime, 'expiration') } }),
  cache: optionalSetting({ ...RESERVED, usage: 'cache name;', doc: 'Cache for the streams taken.', about: 'name of the cache for the streams taken from it', example: 'cache fast;', value: identifierSchema }),
};

export const PEER = {
  clusterKey: SOURCE.clusterKey,
  apiUrl: address('api_url', 'Address of its API.', 'URL of its API', 'http://192.0.2.7:8080'),
  publicPayloadUrl: address('public_payload_url', 'Address for viewers.', 'URL to which viewers are redirected', 'http://south.example.org'),
  privatePayloadUrl: address('private_payload_url', 'Address from which this server takes streams.', 'URL from which this server pulls streams', 'http://192.0.2.7:8080'),
  fetchTimeoutMs: optionalSetting({ ...RESERVED, usage: 'fetch_timeout time;', doc: 'Maximum time for an answer.', about: 'timeout of a request, in seconds', example: 'fetch_timeout 5;', value: seconds }),
  staleTimeoutMs: optionalSetting({ ...RESERVED, usage: 'stale_timeout time;', doc: 'Validity of its last answer.', about: 'validity of its last answer, in seconds', example: 'stale_timeout 30;', value: seconds }),
  channelLimit: optionalSetting({ ...RESERVED, usage: 'channel_limit number;', doc: 'Maximum number of its streams.', about: 'maximum number of streams; default: no limit', example: 'channel_limit 500;', value: integerSchema(0, 1_000_000) }),
  cpuPercent: optionalSetting({ ...RESERVED, usage: 'cpu_limit percent;', doc: 'Maximum load for receiving more streams.', about: 'load in percent above which it gets no more requests', example: 'cpu_limit 80%;', value: percentSchema }),
};

export const RPROXY = {
  streampointKey: optionalSetting({ ...RESERVED, isSecret: true, usage: 'streampoint_key text;', doc: 'Secret of this server for agents.', about: 'secret of the agents; masked', example: 'streampoint_key abc;', value: secret }),
  endpointAuth: optionalSetting({ ...RESERVED, usage: 'endpoint_auth address;', doc: 'Backend that decides about agents.', about: 'URL of the backend that authorizes agents', example: 'endpoint_auth http://127.0.0.1:3000/agents;', value: httpUrlSchema }),
  forwardPorts: listSetting({ ...RESERVED, usage: 'forward_ports port=port …;', doc: 'Ports of this server, and the ports of the agent to which they are forwarded.', about: 'pairs such as 2001=80: a port of this server and the port of the agent to which it is forwarded', example: 'forward_ports 2001=80;', value: valueSchema(because('value_two_ports'), (text) => (/^[0-9]{1,5}=[0-9]{1,5}$/.test(text) ? text : undefined)) }),
};

/** `logo` at the top level. */
const LOGO = {
  path: optionalSetting({ ...RESERVED, usage: 'path path;', doc: 'The file of the picture.', example: 'path /srv/logo.png;', value: pathSchema }),
  place: recordSetting({ ...RESERVED, usage: 'place [left=n] [top=n] [right=n] [bottom=n] [burn=true];', doc: 'Distances from the edges, in pixels, and whether the logo is drawn into the video.', example: 'place left=10 top=10;', fields: { left: option('left', integerSchema(0, 10_000)), top: option('top', integerSchema(0, 10_000)), right: option('right', integerSchema(0, 10_000)), bottom: option('bottom', integerSchema(0, 10_000)), isBurned: flagOption('burn') } }),
};

function rule<T>(directive: string, args: string, doc: string, about: string, example: string, value: Parameters<typeof listSetting<T>>[0]['value'], isSecret = false): ReturnType<typeof listSetting<T>> {
  return listSetting({ isSecret, usage: `${directive} ${args};`, doc, about, example: `${directive} ${example};`, value });
}

function address(directive: string, doc: string, about: string, example: string): ReturnType<typeof optionalSetting<string>> {
  return optionalSetting({ ...RESERVED, usage: `${directive} address;`, doc, about, example: `${directive} ${example};`, value: httpUrlSchema });
}

export const BLOCK_TABLES = {
  api_auth: API_AUTH,
  api_token: API_TOKEN,
  auth_backend: AUTH_BACKEND,
  vod: VOD,
  dvr: DVR,
  event_sink: EVENT_SINK,
  file_processor: FILE_PROCESSOR,
  source: SOURCE,
  peer: PEER,
  rproxy: RPROXY,
  logo: LOGO,
} as const satisfies Readonly<Record<string, SettingTable>>;
