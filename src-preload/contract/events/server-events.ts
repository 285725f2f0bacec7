import { z } from 'zod';
import { configChangesSchema } from '../config-language/config-changes.ts';
import { alarmFactsSchema } from '../api/alarm-faults.ts';
import {
  code,
  detail,
  eventEntry,
  explanation,
  ip,
  media,
  refusalCount,
  userAgent,
  type EventTable,
} from './event-entry.ts';
import {
  flag,
  integer,
  integerOrNull,
  number,
  numberOrNull,
  optionalText,
  text,
  textOrNull,
} from '../api/api-parts.ts';

const version = text('version of the program');
const sink = text('name of the event sink');

const openFiles = z.number().int().nullable();
const handles = {
  count: openFiles.describe('number of open files and connections, null if unknown'),
  limit: openFiles.describe('maximum for the process, null if unknown'),
} as const;

/** Events of the server itself. */
export const SERVER_EVENTS = {
  server_starting: eventEntry({
    doc: 'The server was started and reads its configuration.',
    level: 'info',
    fields: { version },
  }),
  server_started: eventEntry({
    doc: 'The server is ready.',
    level: 'info',
    fields: {
      version,
      base_url: text("address of the media and of the desk, as seen from the server's machine"),
    },
  }),
  server_stopping: eventEntry({
    doc: 'The server was asked to stop. Sinks that miss the event receive it after the next start.',
    level: 'info',
    fields: { version },
  }),
  open_files_exhausted: eventEntry({
    doc: 'The server has hardly any file handles left, and the system drops connections. Raise the limit (`ulimit -n`, `LimitNOFILE`).',
    level: 'alert',
    fields: handles,
  }),
  open_files_restored: eventEntry({
    doc: 'File handles for connections are available again.',
    level: 'notice',
    fields: handles,
  }),
} as const satisfies EventTable;

const change = {
  version: integerOrNull('number of the version in the history, null if it could not be stored'),
  by: text('login of the author, or the origin of the request'),
  origin: text(
    'origin of the change: `start`, `file`, `signal`, `timer`, or `desk` or `api` with the address of the caller',
  ),
} as const;
const summary = text('summary of the changes, in English');
const changes = configChangesSchema.optional().describe('facts of the summary');

/** Events of the configuration. */
export const CONFIG_EVENTS = {
  config_applied: eventEntry({
    doc: 'A new configuration is in force.',
    level: 'notice',
    fields: {
      ...change,
      summary,
      changes,
      is_pending: flag('whether it is on trial, and is rolled back without confirmation'),
    },
  }),
  config_confirmed: eventEntry({
    doc: 'A configuration on trial was confirmed.',
    level: 'notice',
    fields: change,
  }),
  config_rolled_back: eventEntry({
    doc: 'A configuration was not confirmed in time, or was rolled back: the previous one is in force again.',
    level: 'warn',
    fields: { ...change, summary, changes },
  }),
  config_refused: eventEntry({
    doc: 'The configuration file has an error and was not applied; the running configuration stays in force.',
    level: 'error',
    fields: { code, detail },
  }),
} as const satisfies EventTable;

const author = { by: change.by, origin: change.origin } as const;
const range = {
  from: integer('start, in epoch milliseconds'),
  duration_ms: integer('duration in milliseconds'),
} as const;
const storage = textOrNull('the storage, null for that of the stream');
const job = {
  storage: storage.describe('the storage; null for all'),
  status: z.enum(['done', 'stopped', 'error']).describe('result'),
  count: integer('number of blocks deleted, checked or copied'),
  bytes: integer('size in bytes'),
  detail,
} as const;
const note = text('reason');
const episode = optionalText('id of the episode that locks it; its title is `note`');

/** Events of the archive. */
export const ARCHIVE_EVENTS = {
  dvr_new_fragment: eventEntry({
    doc: 'A block of the archive was finished.',
    level: 'debug',
    fields: {
      media,
      storage,
      from: integer('start, in epoch milliseconds'),
      duration_ms: integer('duration in milliseconds'),
      bytes: integer('size in bytes'),
    },
  }),
  dvr_deleted_fragments: eventEntry({
    doc: 'Blocks of the archive were deleted: they expired, space was needed, or an operator deleted them.',
    level: 'debug',
    fields: {
      media,
      storage,
      count: integer('number of blocks'),
      bytes: integer('size in bytes'),
      reason: z
        .enum(['age', 'size', 'disk', 'request'])
        .describe('expired, archive over its limit, disk over its limit, or deleted by request'),
      from: range.from
        .nullable()
        .describe('start of the requested range, in epoch milliseconds; null without a request'),
      duration_ms: range.duration_ms
        .nullable()
        .describe('length of the requested range in milliseconds; null without a request'),
      note: note.nullable().describe('reason of the request; null without one'),
      ...author,
    },
  }),
  dvr_locked: eventEntry({
    doc: 'A range of an archive was locked: no limit deletes it.',
    level: 'notice',
    fields: { media, ...range, note, episode, ...author },
  }),
  dvr_unlocked: eventEntry({
    doc: 'A range of an archive is no longer locked.',
    level: 'notice',
    fields: { media, ...range, note: note.describe('the notes of its locks'), episode, ...author },
  }),
  dvr_collapsed_write: eventEntry({
    doc: 'A disk was so slow that writes were delayed by more than two seconds; reported at most once a minute.',
    level: 'warn',
    fields: { media, storage, detail, explanation },
  }),
  dvr_drop_write: eventEntry({
    doc: 'A disk was too slow, full or gone, and the recording was interrupted. Repeated with the length of the gap when the recording resumes by itself.',
    level: 'error',
    fields: {
      media,
      storage,
      code: text('code of the system, such as ENOSPC or EIO, or disk_slow, disk_error, not_mounted, no_disk'),
      detail,
      explanation,
      from: integer('start of the gap, in epoch milliseconds'),
      duration_ms: integerOrNull('length of the gap; null until the recording resumes'),
    },
  }),
  dvr_deletion_held: eventEntry({
    doc: 'Limits delete nothing from archives until an operator confirms, or, after a jump of the clock, until the clock was steady for a day.',
    level: 'error',
    fields: {
      reason: z
        .enum(['clock', 'locks', 'catalog', 'state'])
        .describe(
          'the clock jumped, the database with the locks was lost or is outdated, the catalog of recordings was lost, or the file that records clock and holds was lost',
        ),
      jump_hours: numberOrNull('distance of the jump of the clock; null for other reasons'),
      restored: integerOrNull('locks and episodes that were restored from copies; null for other reasons'),
    },
  }),
  dvr_deletion_allowed: eventEntry({
    doc: 'An operator confirmed that limits may delete from archives again.',
    level: 'notice',
    fields: { reasons: text('reasons of the hold, separated by commas'), ...author },
  }),
  dvr_clean: eventEntry({
    doc: 'A cleanup of archives that was started by request has ended.',
    level: 'info',
    fields: job,
  }),
  dvr_copies_finished: eventEntry({
    doc: 'A pass over the storages has ended: blocks of the archive were copied or moved to other disks of their storage, or their copies failed. Passes without work are not reported.',
    level: 'notice',
    fields: { ...job, faults: integer('number of blocks that could not be copied') },
  }),
  dvr_export_finished: eventEntry({
    doc: 'A part of the archive was exported, or the export failed.',
    level: 'info',
    fields: {
      media,
      id: text('id of the export; with several streams, each has its own event'),
      path: textOrNull('path of the file; null without one'),
      bytes: integer('bytes of all files of this stream'),
      sha256: textOrNull('SHA-256 of the file, in hexadecimal digits; null without a file'),
      code: code.nullable().describe('error code; null after a success'),
      detail,
      explanation,
      by: text('login, or the origin of the request'),
    },
  }),
  clip_job_finished: eventEntry({
    doc: 'A clip was converted, or the conversion failed.',
    level: 'info',
    fields: {
      id: text('id of the job'),
      clip: text('location and name of the clip, as `ad_inject` names it'),
      bytes: integer('size of the file; 0 without one'),
      duration_ms: integer('duration in milliseconds; 0 without a file'),
      differences: integer('number of differences from the stream; with any, the clip is not inserted'),
      code: code.nullable().describe('error code; null after a success'),
      detail,
      explanation,
      by: text('login, or the origin of the request'),
    },
  }),
  dvr_consistency_check_finished: eventEntry({
    doc: 'The catalog of archives was compared with the disks, or rebuilt from them.',
    level: 'notice',
    fields: {
      ...job,
      is_rebuilt: flag('whether the catalog was rebuilt'),
      faults: integer('number of mismatched or damaged blocks'),
    },
  }),
} as const satisfies EventTable;

const alarm = {
  media: media.nullable().describe('name of the stream, null for an alarm of the server'),
  alarm: text('kind of the alarm'),
  severity: z.enum(['info', 'major', 'critical']).describe('severity'),
  id: text('id of the alarm, as in the list of alarms'),
} as const;

/** Events of alarms. */
export const ALARM_EVENTS = {
  alarm_raised: eventEntry({
    doc: 'A condition that needs an operator has started.',
    level: 'alert',
    fields: {
      ...alarm,
      detail,
      fault: textOrNull('code of the fault, as in the list of alarms'),
      facts: alarmFactsSchema.describe('the values in `detail` by their names, as in the list of alarms'),
    },
  }),
  alarm_acknowledged: eventEntry({
    doc: 'An alarm was acknowledged.',
    level: 'notice',
    fields: {
      ...alarm,
      by: textOrNull('login of the operator'),
      note: textOrNull('note of the operator'),
    },
  }),
  alarm_cleared: eventEntry({
    doc: 'The condition of an alarm has ended.',
    level: 'notice',
    fields: alarm,
  }),
  audio_silence_detected: eventEntry({
    doc: 'The audio of a stream is silent.',
    level: 'warn',
    isPlanned: true,
    fields: { media, duration_ms: integer('duration of the silence, in milliseconds') },
  }),
} as const satisfies EventTable;

/** Events of the HTTP APIs. */
export const API_EVENTS = {
  api_call: eventEntry({
    doc: 'A change was made through an HTTP API or the desk, or was refused (`status` from 400 to 499).',
    level: 'info',
    fields: {
      method: text('HTTP method, or `CALL` for a call of the desk'),
      path: text('address without its query, or name of the call'),
      operation: textOrNull('id of the operation in the document of the HTTP API; null for calls of the desk'),
      target: textOrNull('names of the changed objects, such as streams, a case, a subscriber; null without one'),
      parent: textOrNull(
        'name of the object that contains the changed one, such as the portal of a key; null without one',
      ),
      kind: textOrNull(
        'kind of the change, for calls with several, such as `createSubscriber` or `disable`; null for others',
      ),
      status: integer('HTTP status; for calls of the desk that of the error, or 200'),
      user: textOrNull('login, null without one'),
      ip: textOrNull('address of the caller, null for the application window'),
      user_agent: userAgent,
      duration_ms: number('duration of the request, in milliseconds'),
      trace_id: textOrNull('`X-Trace-Id` of the caller'),
      count: refusalCount,
    },
  }),
  login_accepted: eventEntry({
    doc: 'A login was used from an address for the first time since the start, or for the first time in half an hour.',
    level: 'info',
    fields: { ip, user: text('login') },
  }),
  auth_failed: eventEntry({
    doc: 'Login or password of an HTTP API is wrong.',
    level: 'warn',
    fields: {
      ip,
      user: textOrNull('login, if it is a configured one; null for others, which may be passwords in the wrong field'),
      is_slowed: flag('whether further attempts from the address are delayed'),
      count: refusalCount,
    },
  }),
  portal_key_refused: eventEntry({
    doc: 'A request for subscribers or their log had an invalid key; reported at most once a minute for each address and portal.',
    level: 'warn',
    fields: {
      ip,
      portal: textOrNull('id of the portal, for a replaced key or a disabled portal; null for others'),
      portal_name: textOrNull('name of this portal; null without one'),
      is_slowed: flag('whether further attempts from the address are delayed'),
      count: refusalCount,
    },
  }),
} as const satisfies EventTable;

/** Events of the delivery of events. */
export const SINK_EVENTS = {
  events_dropped: eventEntry({
    doc: 'Events for a sink could not be stored; reported at most once a minute for each sink.',
    level: 'error',
    fields: {
      sink: sink.nullable().describe('name of the event sink, null for all of them'),
      reason: z
        .enum(['too_fast', 'queue_full', 'disk_failed', 'limit', 'too_large'])
        .describe('reason; after `limit` and `too_large` the events are in the dead letters of the sink'),
      count: integer('number of events since the last report'),
    },
  }),
  event_sink_test: eventEntry({
    doc: 'An operator tests a sink; only that sink receives this event.',
    level: 'info',
    fields: { sink, who: text('login of the operator') },
  }),
  event_sink_disabled: eventEntry({
    doc: 'A sink answered that it no longer exists (410). Delivery stops until its settings change or the server restarts; its events wait.',
    level: 'error',
    fields: { sink, code, detail },
  }),
} as const satisfies EventTable;
