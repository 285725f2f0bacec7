import { ALARM_FILE_SETTINGS } from './alarm-settings.ts';
import { listSetting, optionalSetting, setting, type DirectiveEntry } from './directive.ts';
import { ACCESS_SETTINGS } from './access-settings.ts';
import { EVENT_SETTINGS } from './event-settings.ts';
import { RESERVED_FILE_SETTINGS } from './reserved-file-settings.ts';
import { choiceSchema, pathSchema } from './storage-values.ts';
import { SESSION_FILE_SETTINGS } from './session-settings.ts';
import { fallbacksOf } from './table.ts';
import { durationSchema, integerSchema, listenerSchema } from './value-schema.ts';

/** Settings of the top level. */
export const FILE_SETTINGS = {
  http: listSetting({
    directive: 'http',
    usage: 'http [host:]port …;',
    doc:
      'Where the server listens for players, the desk in a browser and the HTTP APIs. Without a host it listens on all addresses of the machine. ' +
      'The directive may come several times; port 0 lets the system choose one. A change takes effect without a restart; connections through a port that went away end after five seconds.',
    example: 'http 127.0.0.1:8080;',
    change: 'update',
    value: listenerSchema,
  }),
  rtmp: listSetting({
    directive: 'rtmp',
    usage: 'rtmp [host:]port …;',
    doc: 'Where the server listens for encoders that publish by RTMP. Hosts, ports and changes as with `http`.',
    example: 'rtmp 1935;',
    change: 'update',
    value: listenerSchema,
  }),
  rtmps: listSetting({
    directive: 'rtmps',
    usage: 'rtmps [host:]port …;',
    doc: 'Where the server listens for encoders that publish by RTMP over TLS (RTMPS). It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.',
    example: 'rtmps 1936;',
    change: 'update',
    value: listenerSchema,
  }),
  https: listSetting({
    directive: 'https',
    usage: 'https [host:]port …;',
    doc: 'Where the server listens for the same over TLS. It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.',
    example: 'https 8443;',
    change: 'update',
    value: listenerSchema,
  }),
  sslCertificate: optionalSetting({
    directive: 'ssl_certificate',
    usage: 'ssl_certificate path;',
    doc: 'The certificate for `https` and those that vouch for it, in one PEM file. A path without `/` at its start counts from the data folder. A file that changes is read again within ten seconds.',
    example: 'ssl_certificate /etc/ssl/media.example.org.crt;',
    change: 'update',
    value: pathSchema,
  }),
  sslCertificateKey: optionalSetting({
    directive: 'ssl_certificate_key',
    usage: 'ssl_certificate_key path;',
    doc: 'The private key of the certificate, in a PEM file without a password.',
    example: 'ssl_certificate_key /etc/ssl/media.example.org.key;',
    change: 'update',
    value: pathSchema,
  }),
  httpsRedirect: setting({
    directive: 'https_redirect',
    usage: 'https_redirect off|on|all;',
    doc:
      'Whether requests for pages, playlists and readings of the APIs that come in the clear are sent to the first `https` port (308). `on` leaves alone what this machine itself asks, and health probes; `all` does not. ' +
      'Segments, publishers and changes are answered as they come. Behind `trusted_proxies` it is their `X-Forwarded-Proto` that counts, and port 443.',
    default: 'off',
    example: 'https_redirect on;',
    change: 'update',
    value: choiceSchema(['off', 'on', 'all']),
  }),
  hstsMs: optionalSetting({
    directive: 'hsts',
    usage: 'hsts time;',
    doc: 'For how long browsers that came by https come by https only (`Strict-Transport-Security`, RFC 6797). Only answers by https say so; `hsts 0;` takes it back.',
    unit: 'seconds',
    example: 'hsts 180d;',
    change: 'update',
    value: durationSchema('s', 0, 63_072_000_000),
  }),
  publishedStreams: setting({
    directive: 'published_streams',
    usage: 'published_streams number;',
    doc: 'How many streams there may be under live prefixes and templates, with those whose publisher has left and that are not forgotten yet; those of which only the archive is left do not count. One more is refused with `publish_limit`.',
    default: '2000',
    example: 'published_streams 5000;',
    change: 'update',
    value: integerSchema(1, 100_000),
  }),
  publishedStreamsOfPrefix: setting({
    directive: 'published_streams_per_prefix',
    usage: 'published_streams_per_prefix number;',
    doc: 'How many of them there may be under one live prefix or template.',
    default: '1000',
    example: 'published_streams_per_prefix 50;',
    change: 'update',
    value: integerSchema(1, 100_000),
  }),
  publishedStreamsOfAddress: setting({
    directive: 'published_streams_per_address',
    usage: 'published_streams_per_address number;',
    doc: 'How many of them one address may have made; an IPv6 network of 64 bits counts as one address. The machine of the server has no such limit.',
    default: '200',
    example: 'published_streams_per_address 20;',
    change: 'update',
    value: integerSchema(1, 100_000),
  }),
  httpConnections: setting({
    directive: 'http_connections',
    usage: 'http_connections number;',
    doc:
      'How many connections there may be to all ports for HTTP together. One more is closed at once. On Linux there are never more than the file handles of the process allow: ' +
      '85 % of them with those that are open for other things, or half of what these leave, less those for `rtmp_connections`. That it is less than configured stands in the log.',
    unit: 'connections',
    default: '20000',
    example: 'http_connections 50000;',
    change: 'update',
    value: integerSchema(10, 1_000_000),
  }),
  httpConnectionsOfAddress: setting({
    directive: 'http_connections_per_address',
    usage: 'http_connections_per_address number;',
    doc: 'How many of them one address may have; an IPv6 network of 64 bits counts as one address. The machine of the server and `trusted_proxies` have no such limit.',
    unit: 'connections',
    default: '1000',
    example: 'http_connections_per_address 200;',
    change: 'update',
    value: integerSchema(1, 1_000_000),
  }),
  httpConnectionsReserve: setting({
    directive: 'http_connections_reserve',
    usage: 'http_connections_reserve number;',
    doc: 'How many of all are kept for the machine of the server and for publishers by HTTP; half of all at most. Others are answered with 503 when only these are left.',
    unit: 'connections',
    default: '200',
    example: 'http_connections_reserve 50;',
    change: 'update',
    value: integerSchema(0, 100_000),
  }),
  rtmpConnections: setting({
    directive: 'rtmp_connections',
    usage: 'rtmp_connections number;',
    doc:
      'How many connections there may be to all ports for RTMP and RTMPS together, of encoders that publish and of those that only connect. One more is closed at once. ' +
      'With ports of both kinds neither takes the last quarter. On Linux they have a quarter of the connections that file handles allow (see `http_connections`), and what HTTP leaves of them.',
    unit: 'connections',
    default: '2000',
    example: 'rtmp_connections 500;',
    change: 'update',
    value: integerSchema(1, 100_000),
  }),
  rtmpConnectionsOfAddress: setting({
    directive: 'rtmp_connections_per_address',
    usage: 'rtmp_connections_per_address number;',
    doc: 'How many of them one address may have; an IPv6 network of 64 bits counts as one address. The machine of the server has no such limit.',
    unit: 'connections',
    default: '200',
    example: 'rtmp_connections_per_address 20;',
    change: 'update',
    value: integerSchema(1, 100_000),
  }),
  ...ACCESS_SETTINGS,
  ...SESSION_FILE_SETTINGS,
  ...ALARM_FILE_SETTINGS,
  ...EVENT_SETTINGS,
  ...RESERVED_FILE_SETTINGS,
};

/** Defaults of the top level. */
export const FILE_FALLBACKS = fallbacksOf(FILE_SETTINGS);

/** Blocks of the top level that make streams. */
export const STREAM_BLOCKS = {
  stream: {
    directive: 'stream',
    usage: 'stream name { … }',
    doc: 'A stream with its inputs. It is played at `/name/index.m3u8`. A stream `cam1` with `input publish://;` is published at `rtmp://host/static/cam1`.',
    example: 'stream cam1 { input udp://239.0.0.1:1234; title "Camera 1"; }',
  },
  live: {
    directive: 'live',
    usage: 'live prefix { … }',
    doc: 'A live prefix: encoders may publish anything under it. What is published at `rtmp://host/prefix/cam1` becomes the stream `prefix/cam1`, with the settings of the block.',
    example: 'live mobile { segment_duration 2; password "open sesame"; }',
  },
  template: {
    directive: 'template',
    usage: 'template name { … }',
    doc: 'Settings under a name: for streams that say `template name;`, and for everything that is published under its prefixes.',
    example: 'template cameras { prefix cams; segment_duration 4; }',
  },
} as const satisfies Readonly<Record<string, DirectiveEntry>>;
