import type { BlockName, LaterDirective } from './directive.ts';

function entry(directive: string, usage: string, doc: string, example: string, more: { unit?: string; default?: string } = {}): LaterDirective {
  return { directive, usage: `${directive} ${usage};`, doc, example: `${directive} ${example};`, ...more };
}

function ruleEntries(verb: 'allow' | 'deny'): LaterDirective[] {
  return [
    entry(`${verb}_tokens`, 'token …', `Tokens that are ${verb === 'allow' ? 'allowed' : 'denied'} without asking.`, 'abc def'),
    entry(`${verb}_ips`, 'address …', `Addresses or networks that are ${verb === 'allow' ? 'allowed' : 'denied'} without asking.`, '192.0.2.0/24'),
    entry(`${verb}_countries`, 'code …', `Countries that are ${verb === 'allow' ? 'allowed' : 'denied'} without asking.`, 'DE AT'),
    entry(`${verb}_uas`, 'text …', `Players that are ${verb === 'allow' ? 'allowed' : 'denied'} without asking, by the beginning of their name.`, 'VLC'),
  ];
}

/** Directives of the blocks that are read and kept, and have no effect yet. */
export const LATER_BLOCK_DIRECTIVES: Readonly<Partial<Record<BlockName, readonly LaterDirective[]>>> = {
  api_auth: [entry('login', 'name', 'The login.', 'admin'), entry('password', 'text', 'The password.', '"a long phrase"')],
  auth_backend: [
    entry('backend', 'address [key=value …]', 'An HTTP backend; with several all are asked.', 'http://127.0.0.1:3000/auth'),
    entry('allow_default', '[true|false]', 'What holds when no backend answers.', 'true', { default: 'false' }),
    ...ruleEntries('allow'),
    ...ruleEntries('deny'),
  ],
  vod: [
    entry('storage', 'path|address', 'Where the files lie; several places are searched in order.', '/srv/clips'),
    entry('path', 'path', 'The older form of `storage`.', '/srv/clips'),
    entry('position', 'number', 'The place in lists.', '2'),
    entry('disabled', '[true|false]', 'Whether the files cannot be played.', 'true', { default: 'false' }),
    entry('auto_mbr', '[true|false]', 'Whether files of one folder are renditions of each other.', 'true', { default: 'false' }),
    entry('on_play', 'address [key=value …]', 'The backend that is asked before a session may play.', 'http://127.0.0.1:3000/play'),
    entry('auth', 'address [key=value …]', 'The older form of `on_play`.', 'http://127.0.0.1:3000/auth'),
    entry('cache', 'name', 'The cache for files of a remote place.', 'fast'),
    entry('read_queue', 'number', 'How many reads run at once.', '8'),
    entry('download', '[true|false]', 'Whether whole files may be loaded.', 'true', { default: 'false' }),
    entry('thumbnails', '[on|off]', 'Whether small pictures for seeking are made.', 'on'),
    entry('protocols', 'name …', 'The protocols that files may be played with.', 'hls dash'),
    entry('segment_duration', 'time', 'How long a segment is at least.', '4', { unit: 'seconds' }),
    entry('timeout', 'time', 'How long a remote place may take to answer.', '10', { unit: 'seconds' }),
    entry('logo', 'path', 'A picture in a corner of the player.', '/srv/logo.png'),
    entry('drm', 'name [key=value …]', 'How segments are encrypted.', 'aes128 keyserver=http://127.0.0.1:3000/key'),
  ],
  dvr: [
    entry('root', 'path', 'The folder that holds the archive or its disks.', '/mnt/archive'),
    entry('raid', '0|1', 'How blocks are spread over the disks.', '0'),
    entry('active', 'number', 'How many disks are written at once.', '2'),
    entry('disk', 'path [keep|migrate|readonly|rescue|abandon]', 'A disk below `root`, and how it is used.', 'volume2 keep'),
    entry('check_mount', '[true|false]', 'Whether a disk must be mounted to be used.', 'true'),
    entry('expiration', 'time', 'How long the archive is kept.', '7d'),
    entry('episodes_expiration', 'time', 'How long episodes are kept.', '30d'),
    entry('episodes_url', 'address', 'Where the list of episodes to keep comes from.', 'http://127.0.0.1:3000/episodes'),
    entry('storage_limit', 'size', 'How much the archive may take.', '500G'),
    entry('disk_usage_limit', 'percent', 'How full a disk may become.', '90%'),
    entry('schedule', 'hhmm-hhmm …', 'When is recorded, in UTC.', '0800-1800'),
    entry('copy', 'address', 'Where finished hours are copied to.', 'file:///mnt/copy'),
    entry('dvr_offline', '[true|false]', 'Whether recording waits until it is switched on.', 'true', { default: 'false' }),
    entry('dvr_replicate', '[true|false]', 'Whether missing parts are taken from the source.', 'true', { default: 'false' }),
    entry('replication_speed', 'size', 'How much replication may load in a second.', '10M'),
    entry('replication_port', 'port', 'The port of the source for replication.', '8080'),
    entry('no_index', '[true|false]', 'Whether the catalog is not kept in the database.', 'true', { default: 'false' }),
  ],
  event_sink: [
    entry('url', 'address|path', 'Where events go: `http(s)://` posts them, `log://` and `jsonlog://` write a file.', 'http://127.0.0.1:3000/events'),
    entry('only', 'key=value …', 'Sends only events that fit; `*` stands for any end.', 'event=stream_*'),
    entry('except', 'key=value …', 'Leaves out events that fit.', 'media=test_*'),
    entry('throttle_delay', 'time', 'How long events are gathered before they are sent.', '1', { unit: 'seconds' }),
    entry('resend_limit', 'number', 'How many undelivered events are kept.', '10000'),
    entry('resend_timeout', 'time', 'How long until an undelivered event is sent again.', '10', { unit: 'seconds' }),
    entry('max_size', 'size', 'How large a log file becomes.', '100M'),
    entry('max_depth', 'number', 'How many old log files are kept.', '5'),
    entry('level', 'level', 'The least level of events that are sent.', 'info'),
    entry('extra', 'key=value …', 'Facts that go with every event.', 'site=north'),
  ],
  file_processor: [entry('path', 'vod|path', 'The place of the clips: the name of a `vod`, or a folder.', 'clips')],
  source: [
    entry('cluster_key', 'text', 'The secret shared with that server.', '"only between us"'),
    entry('only', 'name …', 'Takes only these streams.', 'cam1 cam2'),
    entry('except', 'name …', 'Leaves out these streams.', 'test'),
    entry('dvr', 'path|@storage [time]', 'Records what is taken.', '@main 1d'),
    entry('cache', 'name', 'The cache for what is taken.', 'fast'),
  ],
  peer: [
    entry('cluster_key', 'text', 'The secret shared with that server.', '"only between us"'),
    entry('api_url', 'address', 'Where its API is reached.', 'http://192.0.2.7:8080'),
    entry('public_payload_url', 'address', 'Where viewers are sent.', 'http://south.example.org'),
    entry('private_payload_url', 'address', 'Where this server takes streams from.', 'http://192.0.2.7:8080'),
    entry('fetch_timeout', 'time', 'How long an answer may take.', '5', { unit: 'seconds' }),
    entry('stale_timeout', 'time', 'How long its last answer counts.', '30', { unit: 'seconds' }),
    entry('channel_limit', 'number', 'How many streams it may carry.', '500'),
    entry('cpu_limit', 'percent', 'How busy it may be to be given more.', '80%'),
  ],
  rproxy: [
    entry('streampoint_key', 'text', 'The secret of this server towards agents.', 'abc'),
    entry('endpoint_auth', 'address', 'Who decides about agents.', 'http://127.0.0.1:3000/agents'),
    entry('forward_ports', 'key=value …', 'Ports that are passed on to agents.', '2001=80'),
  ],
};
