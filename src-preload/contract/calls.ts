import { z } from 'zod';
import { ARCHIVE_CALLS } from './operations/archive-calls.ts';
import { CASE_OPERATIONS } from './operations/cases.ts';
import { CLIP_CALLS } from './operations/clip-calls.ts';
import { SUBSCRIBER_OPERATIONS } from './operations/subscribers.ts';
import { ALARM_OPERATIONS } from './operations/alarms.ts';
import { LOG_DOWNLOADS } from './operations/log-downloads.ts';
import { PEOPLE_OPERATIONS } from './operations/people.ts';
import { PORTAL_OPERATIONS } from './operations/portals.ts';
import { STREAM_OPERATIONS } from './operations/streams.ts';
import { serverEventSchema } from './events/catalogue.ts';
import { eventSinkStateSchema } from './api/sink-state.ts';
import { CONFIG_CALLS } from './operations/config-calls.ts';
import { SESSION_CALLS } from './operations/session-calls.ts';
import { pushTransmissionSchema } from './api/push-object.ts';
import { streamNameSchema, streamQualitySchema, streamStateSchema } from './api/streams.ts';
import { SYSTEM_CALLS } from './operations/system-calls.ts';
import { WALL_CALLS } from './operations/wall-calls.ts';
import { ROLES } from './operations/roles.ts';
import { reads, writes, type OperationTable } from './operations/operation.ts';
import { flag, integer, integerOrNull, optionalText, text, textOrNull } from './api/api-parts.ts';

const nameOnly = z.object({ name: streamNameSchema });
const nothing = z.object({});
const sinkSchema = z.object({ name: z.string().min(1).max(200).describe('name of the sink') });

/** Maximum number of streams that one call changes. */
const STREAMS_CHANGED_MAX = 10_000;
const namesSchema = z.object({ names: z.array(streamNameSchema).min(1).max(STREAMS_CHANGED_MAX) });

/** Information about the server that every page of the desk needs. */
const serverInfoSchema = z.object({
  version: z.string(),
  hostname: z.string(),
  started_at: integer('epoch milliseconds'),
  now: integer('epoch milliseconds of the server clock'),
  base_url: text('address of the media and of the desk, as seen from this machine'),
  rtmp_url: textOrNull('address for encoders; null without an rtmp port'),
  live_prefixes: z.array(z.string()),
  is_demo: flag('whether the demonstration configuration runs'),
  config_error: z.string().nullable(),
  has_edit_login: flag("whether changes need a login; without one they are only accepted from the server's machine"),
  has_view_login: flag('whether reading needs a login'),
  may_operate: flag(
    'whether the caller may control running streams: restart them, select inputs, end sessions, acknowledge alarms',
  ),
  may_write: flag('whether the caller may change the configuration'),
  login: optionalText('login of the caller; absent without one'),
  role: z.enum(ROLES).optional().describe('role of the person; absent for all other callers'),
  may_watch_all: flag(
    'whether the desk plays every stream that the caller may see, without counting as a viewer: for logins that may see walls',
  ),
  has_session: z.literal(true).optional().describe('present if the desk can log this login out'),
  prefixes: z
    .array(z.string())
    .optional()
    .describe('name prefixes of the streams that the caller may see and control; absent for all'),
  no_sandbox: z
    .literal(true)
    .optional()
    .describe('present if the application window runs without the Chromium sandbox'),
  wall_origins: z.array(z.string()).describe('origins whose pages may be shown in cells of walls'),
  view_query: optionalText(
    'query that lets the desk play streams without counting as a viewer: those that the caller may see, or the public ones without `may_watch_all`',
  ),
});
export type ServerInfo = z.infer<typeof serverInfoSchema>;

/**
 * Calls of the bridge with input and output schema. Calls that change something are marked, so that IPC and HTTP can refuse
 * them.
 */
export const CALLS = {
  'server.info': { ...reads('view', 'visible'), input: nothing, output: serverInfoSchema },
  'streams.list': {
    ...reads('view', 'visible'),
    sameAs: ['stream_list'],
    input: z.object({
      max: z.number().int().min(0).optional().describe('maximum number of streams in the answer; default: all'),
    }),
    output: z.object({ streams: z.array(streamStateSchema) }),
  },
  'streams.add': {
    ...writes('edit', 'stream'),
    sameAs: ['stream_create', 'stream_save', 'config_stream_create'],
    input: z.object({
      name: streamNameSchema,
      input_url: z.string().min(1).max(2000).describe('publish:// waits for an encoder'),
      settings: z
        .array(
          z.object({
            directive: z.string().regex(/^[a-z0-9_]{1,100}$/),
            words: z.array(z.string().max(4096)).max(100),
            options: z.record(z.string().max(100), z.string().max(4096)).optional(),
          }),
        )
        .max(100)
        .optional()
        .describe('further directives; a recording may name the storage main, which is added if there is none'),
    }),
    output: z.object({ name: z.string(), publish_urls: z.array(z.string()) }),
  },
  'streams.remove': {
    ...writes('edit', 'stream'),
    sameAs: ['stream_delete', 'config_stream_delete'],
    input: nameOnly,
    output: z.object({
      version: integerOrNull('version for `config.undo`; null if it cannot be undone'),
    }),
  },
  'streams.remove_all': {
    ...writes('edit', 'stream'),
    sameAs: ['stream_delete'],
    input: namesSchema,
    output: z.object({
      version: integerOrNull('version for `config.undo`; null if it cannot be undone'),
    }),
  },
  'streams.disable_all': {
    ...writes('edit', 'stream'),
    sameAs: ['stream_save'],
    input: namesSchema.extend({ is_disabled: flag('false: enables the streams') }),
    output: z.object({
      version: integerOrNull('version for `config.undo`; null if nothing was changed'),
    }),
  },
  'streams.record_all': {
    ...writes('operate', 'stream'),
    sameAs: ['legacy_dvr_enable', 'legacy_dvr_disable'],
    input: namesSchema.extend({ is_recorded: flag('until the stream restarts') }),
    output: nothing,
  },
  'streams.add_recording': {
    ...writes('edit', 'stream'),
    sameAs: ['stream_save'],
    input: namesSchema.describe('streams without an archive; a published stream is recorded by its live prefix'),
    output: z.object({
      version: integerOrNull('version for `config.undo`; null if nothing was changed'),
      storage: text('storage that records them'),
      days: integer('days for which recordings are kept'),
    }),
  },
  'streams.select_input': {
    ...writes('operate', 'stream'),
    sameAs: ['stream_input_select', 'legacy_stream_switch_source'],
    input: z.object({
      name: streamNameSchema,
      input: z
        .union([z.number().int().min(0), z.string().min(1).max(2000), z.null()])
        .describe(
          'index in the order of the configuration, from 0, or the address; null: automatic selection by priority',
        ),
    }),
    output: z.object({ selected_input: z.number().int().nullable() }),
  },
  'streams.transmissions': {
    ...reads('view', 'stream'),
    input: nameOnly.extend({ push: z.string().max(100).optional().describe('id of a push; default: all') }),
    output: z.object({
      transmissions: z
        .array(pushTransmissionSchema)
        .describe('newest first; the server stores the last hundred of each target for a year'),
    }),
  },
  'streams.quality': { ...reads('view', 'stream'), input: nameOnly, output: streamQualitySchema },
  ...STREAM_OPERATIONS,
  ...ALARM_OPERATIONS,
  ...LOG_DOWNLOADS,
  ...WALL_CALLS,
  ...CONFIG_CALLS,
  'events.recent': {
    ...reads('view', 'visible'),
    input: z.object({
      limit: z.number().int().min(1).max(1000).default(100),
      event: z.string().max(1000).optional().describe('kinds of events, separated by commas; `*` matches anything'),
      media: z.string().max(1000).optional().describe('names of streams, in the same notation'),
    }),
    output: z.object({
      events: z
        .array(serverEventSchema)
        .describe('newest matching events, oldest first; the server stores the last thousand'),
    }),
  },
  'events.test_sink': { ...writes('edit', 'server'), input: sinkSchema, output: nothing },
  'events.replay_sink': {
    ...writes('edit', 'server'),
    input: sinkSchema,
    output: z.object({
      count: integer('number of events to resend'),
      is_more: flag('whether there are more'),
    }),
  },
  'events.sinks': {
    ...reads('view', 'server'),
    sameAs: ['event_sink_list'],
    input: nothing,
    output: z.object({ sinks: z.array(eventSinkStateSchema) }),
  },
  ...SESSION_CALLS,
  ...ARCHIVE_CALLS,
  ...CASE_OPERATIONS,
  ...CLIP_CALLS,
  ...PORTAL_OPERATIONS,
  ...SUBSCRIBER_OPERATIONS,
  ...SYSTEM_CALLS,
  ...PEOPLE_OPERATIONS,
} as const satisfies OperationTable;

/** Name of a call. */
export type CallName = keyof typeof CALLS;
/** Input of a call. */
export type CallInput<N extends CallName> = z.infer<(typeof CALLS)[N]['input']>;
/** Output of a call. */
export type CallOutput<N extends CallName> = z.infer<(typeof CALLS)[N]['output']>;
