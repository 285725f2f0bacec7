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
    usage: 'http [host:]port …;',
    doc:
      'Port for players, the desk in a browser and the HTTP APIs. Without a host, the server listens on all addresses of the machine. ' +
      'The directive may repeat; port 0 lets the system choose one. A change takes effect without a restart; connections through a removed port end after five seconds.',
    example: 'http 127.0.0.1:8080;',
    value: listenerSchema,
  }),
  rtmp: listSetting({
    usage: 'rtmp [host:]port …;',
    doc: 'Port for encoders that publish by RTMP. Hosts, ports and changes as with `http`.',
    example: 'rtmp 1935;',
    value: listenerSchema,
  }),
  rtmps: listSetting({
    usage: 'rtmps [host:]port …;',
    doc: 'Port for encoders that publish by RTMP over TLS (RTMPS). It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.',
    example: 'rtmps 1936;',
    value: listenerSchema,
  }),
  https: listSetting({
    usage: 'https [host:]port …;',
    doc: 'Port for players, the desk and the HTTP APIs over TLS. It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.',
    example: 'https 8443;',
    value: listenerSchema,
  }),
  sslCertificate: optionalSetting({
    usage: 'ssl_certificate path;',
    doc: 'Certificate for `https` with its intermediate certificates, in one PEM file. A path without `/` at its start is relative to the data folder. A changed file is read again within ten seconds.',
    example: 'ssl_certificate /etc/ssl/media.example.org.crt;',
    value: pathSchema,
  }),
  sslCertificateKey: optionalSetting({
    usage: 'ssl_certificate_key path;',
    doc: 'The private key of the certificate, in a PEM file without a password.',
    example: 'ssl_certificate_key /etc/ssl/media.example.org.key;',
    value: pathSchema,
  }),
  httpsRedirect: setting({
    usage: 'https_redirect off|on|all;',
    doc:
      'Whether unencrypted requests for pages and playlists, and read requests of the APIs, are redirected to the first `https` port (308). `on` excludes requests from this machine and health probes; `all` does not. ' +
      'Segments, publishers and changes are never redirected. Behind `trusted_proxies`, their `X-Forwarded-Proto` decides, and the port is 443.',
    default: 'off',
    example: 'https_redirect on;',
    value: choiceSchema(['off', 'on', 'all']),
  }),
  hstsMs: optionalSetting({
    usage: 'hsts time;',
    doc: 'Time for which browsers use only https after a visit over https (`Strict-Transport-Security`, RFC 6797). Only answers over https contain the header; `hsts 0;` revokes it.',
    example: 'hsts 180d;',
    value: durationSchema('s', 0, 63_072_000_000),
  }),
  publishedStreams: setting({
    usage: 'published_streams number;',
    doc: 'Maximum number of streams under live prefixes and templates, including streams whose publisher left recently; streams with only an archive do not count. Further ones are refused with `publish_limit`.',
    default: '2000',
    example: 'published_streams 5000;',
    value: integerSchema(1, 100_000),
  }),
  publishedStreamsOfPrefix: setting({
    usage: 'published_streams_per_prefix number;',
    doc: 'Maximum number of published streams under one live prefix or template.',
    default: '1000',
    example: 'published_streams_per_prefix 50;',
    value: integerSchema(1, 100_000),
  }),
  publishedStreamsOfAddress: setting({
    usage: 'published_streams_per_address number;',
    doc: 'Maximum number of published streams of one address; a /64 network of IPv6 counts as one address. The machine of the server has no such limit.',
    default: '200',
    example: 'published_streams_per_address 20;',
    value: integerSchema(1, 100_000),
  }),
  httpConnections: setting({
    usage: 'http_connections number;',
    doc:
      'Maximum number of connections to all HTTP ports together. Further ones are closed at once. ' +
      'On Linux, file handles may allow fewer connections, see Security in the documentation; the log reports this lower limit.',
    unit: 'connections',
    default: '20000',
    example: 'http_connections 50000;',
    value: integerSchema(10, 1_000_000),
  }),
  httpConnectionsOfAddress: setting({
    usage: 'http_connections_per_address number;',
    doc: 'Maximum number of HTTP connections of one address; a /64 network of IPv6 counts as one address. The machine of the server and `trusted_proxies` have no such limit.',
    unit: 'connections',
    default: '1000',
    example: 'http_connections_per_address 200;',
    value: integerSchema(1, 1_000_000),
  }),
  httpConnectionsReserve: setting({
    usage: 'http_connections_reserve number;',
    doc: 'Number of HTTP connections reserved for the machine of the server and for publishers over HTTP; at most half of all. When only these are left, other clients get 503.',
    unit: 'connections',
    default: '200',
    example: 'http_connections_reserve 50;',
    value: integerSchema(0, 100_000),
  }),
  rtmpConnections: setting({
    usage: 'rtmp_connections number;',
    doc:
      'Maximum number of connections to all RTMP and RTMPS ports together, publishing or not. Further ones are closed at once. ' +
      'If the server has ports of both kinds, each kind has a quarter of this number reserved. On Linux, RTMP and RTMPS together get a quarter of the connections that file handles allow (see `http_connections`), and also those that HTTP does not use.',
    unit: 'connections',
    default: '2000',
    example: 'rtmp_connections 500;',
    value: integerSchema(1, 100_000),
  }),
  rtmpConnectionsOfAddress: setting({
    usage: 'rtmp_connections_per_address number;',
    doc: 'Maximum number of RTMP connections of one address; a /64 network of IPv6 counts as one address. The machine of the server has no such limit.',
    unit: 'connections',
    default: '200',
    example: 'rtmp_connections_per_address 20;',
    value: integerSchema(1, 100_000),
  }),
  ...ACCESS_SETTINGS,
  ...SESSION_FILE_SETTINGS,
  ...ALARM_FILE_SETTINGS,
  ...EVENT_SETTINGS,
  ...RESERVED_FILE_SETTINGS,
};

export const FILE_FALLBACKS = fallbacksOf(FILE_SETTINGS);

/** Blocks of the top level that define streams. */
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
    doc: 'A live prefix, under which encoders may publish any name. Publishing to `rtmp://host/prefix/cam1` makes the stream `prefix/cam1`, with the settings of the block.',
    example: 'live mobile { segment_duration 2; password "open sesame"; }',
  },
  template: {
    directive: 'template',
    usage: 'template name { … }',
    doc: 'Named settings for streams with `template name;`, and for all streams published under its prefixes.',
    example: 'template cameras { prefix cams; segment_duration 4; }',
  },
} as const satisfies Readonly<Record<string, DirectiveEntry>>;
