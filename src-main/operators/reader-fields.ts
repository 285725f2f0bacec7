/**
 * Fields whose texts are shown without write access. A field that is in neither list is masked, so that a new field, or an option that
 * Airdesk does not know, never shows a secret by mistake.
 */
export const READABLE_FIELDS: ReadonlySet<string> = new Set([
  // Names and what people write for people
  ...[
    'name',
    'title',
    'comment',
    'provider',
    'vendor',
    'template',
    'prefixes',
    'locations',
    'media',
    'stream',
    'hostname',
    'server',
    'umd',
    'tally',
    'wall',
    'window',
  ],
  ...[
    'unit',
    'named_by',
    'section',
    'version',
    'server_version',
    'license',
    'labels',
    'text_alerts',
    'live_prefixes',
    'wall_origins',
  ],
  // States
  ...[
    'status',
    'phase',
    'code',
    'fault',
    'error',
    'config_error',
    'source_error',
    'event',
    'level',
    'severity',
    'reason',
    'state',
    'alarm',
  ],
  ...[
    'platform',
    'about',
    'streamer_status',
    'config_version',
    'current_type',
    'agent_status',
    'running_on',
    'input',
    'from',
    'submedia',
  ],
  // Media
  ...['codec', 'content', 'lang', 'profile', 'size', 'track_id', 'fourcc', 'pixel_format', 'video_codec'],
  ...['audio_codec', 'hls_scte35', 'entry', 'type', 'proto', 'protocol', 'protocols', 'mode'],
  ...['language', 'variant', 'loop', 'transport', 'program', 'priority', 'source_timeout', 'frames_timeout'],
  ...[
    'hls',
    'dash',
    'ts',
    'embed',
    'preview',
    'jpeg',
    'only',
    'except',
    'placement',
    'midroll_insert_by',
    'method',
    'storage',
    'sink',
    'cause',
  ],
  // Viewers and publishers: who they are, not what lets them in
  ...[
    'ip',
    'address',
    'scope',
    'country',
    'user_agent',
    'published_from',
    'published_via',
    'user',
    'user_id',
    'who',
    'login',
    'by',
  ],
  ...['allowed_countries', 'disallowed_countries', 'allow_countries', 'deny_countries', 'domains', 'session_keys'],
  ...['allow_ips', 'deny_ips', 'id', 'session_id', 'origin', 'from_where', 'summary', 'host', 'backends'],
  // What the server made for this caller: it lets them see what is open to all
  'view_query',
]);

/** Fields and options of an input whose texts are shown. */
export const INPUT_FIELDS: ReadonlySet<string> = new Set([
  ...['url', 'phase', 'error', 'priority', 'source_timeout', 'frames_timeout', 'language', 'variant', 'loop'],
  ...['transport', 'program'],
]);

/** Fields that hold addresses or paths. */
export const ADDRESS_FIELDS: ReadonlySet<string> = new Set([
  ...['url', 'urls', 'input_url', 'base_url', 'rtmp_url', 'publish_urls', 'referer', 'current_entry', 'file'],
  ...['api_url', 'public_payload_url', 'private_payload_url', 'root', 'prefix', 'storages', 'disks', 'copy', 'folder'],
]);

/** What is sent to others: the key of a webhook or of an ingest point often stands in the path. */
export const OUTGOING_FIELDS: ReadonlySet<string> = new Set([
  ...['pushes', 'backends', 'auth', 'on_play', 'on_publish', 'event_sinks', 'auth_backends', 'sinks', 'drm'],
]);

/** What is shown only to callers that may read the configuration. */
export const HIDDEN_FIELDS: ReadonlySet<string> = new Set(['config_on_disk']);
