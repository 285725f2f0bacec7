import { explanationSchema } from '../explanations/explanation-schema.ts';
import { z } from 'zod';
import { configChangesSchema } from '../config-language/config-changes.ts';
import { alarmFactsSchema } from '../api/alarm-faults.ts';
import { COMMON_EVENT_FIELDS, type EventEntry } from './event-entry.ts';
import {
  ALARM_EVENTS,
  API_EVENTS,
  ARCHIVE_EVENTS,
  CONFIG_EVENTS,
  SERVER_EVENTS,
  SINK_EVENTS,
} from './server-events.ts';
import { AD_EVENTS, SESSION_EVENTS } from './session-events.ts';
import { INPUT_EVENTS, PUBLISHER_EVENTS, PUSH_EVENTS, STREAM_EVENTS } from './stream-events.ts';

/** Event kinds in the groups of the reference. Codes are in addresses of the desk. */
export const EVENT_GROUPS = [
  { code: 'server', title: 'Server', entries: SERVER_EVENTS },
  { code: 'streams', title: 'Streams', entries: STREAM_EVENTS },
  { code: 'inputs', title: 'Inputs', entries: INPUT_EVENTS },
  { code: 'publishers', title: 'Publishers', entries: PUBLISHER_EVENTS },
  { code: 'sessions', title: 'Sessions', entries: SESSION_EVENTS },
  { code: 'advertisements', title: 'Advertisements', entries: AD_EVENTS },
  { code: 'pushes', title: 'Pushes', entries: PUSH_EVENTS },
  { code: 'configuration', title: 'Configuration', entries: CONFIG_EVENTS },
  { code: 'archive', title: 'Archive', entries: ARCHIVE_EVENTS },
  { code: 'alarms', title: 'Alarms', entries: ALARM_EVENTS },
  { code: 'api_calls', title: 'API calls', entries: API_EVENTS },
  { code: 'event_delivery', title: 'Delivery of events', entries: SINK_EVENTS },
] as const;
/** Code of a group of event kinds. */
export type EventGroup = (typeof EVENT_GROUPS)[number]['code'];

/** Event kinds by name. Names never change. */
export const EVENTS = {
  ...SERVER_EVENTS,
  ...STREAM_EVENTS,
  ...INPUT_EVENTS,
  ...PUBLISHER_EVENTS,
  ...SESSION_EVENTS,
  ...AD_EVENTS,
  ...PUSH_EVENTS,
  ...CONFIG_EVENTS,
  ...ARCHIVE_EVENTS,
  ...ALARM_EVENTS,
  ...API_EVENTS,
  ...SINK_EVENTS,
} as const;

/** Name of a kind of event. */
export type EventKind = keyof typeof EVENTS;

/** Fields of an event kind besides the common ones. */
export type EventFields<K extends EventKind> = z.infer<z.ZodObject<(typeof EVENTS)[K]['fields']>>;

// The keys of the catalogue are exactly its key type.
const KINDS = Object.keys(EVENTS) as [EventKind, ...EventKind[]];

/** Event of any kind as sent: common fields and the fields of its kind, side by side. */
export const serverEventSchema = z
  .object({
    event: z.enum(KINDS),
    ...COMMON_EVENT_FIELDS,
    media: z.string().nullable().optional().describe('name of the stream, if the event concerns one'),
  })
  .catchall(
    z.union([z.string(), z.number(), z.boolean(), z.null(), alarmFactsSchema, explanationSchema, configChangesSchema]),
  );
export type ServerEvent = z.infer<typeof serverEventSchema>;

/** Schema of events of one kind. */
export function eventSchemaOf(kind: EventKind): z.ZodObject {
  return z.strictObject({ event: z.literal(kind), ...COMMON_EVENT_FIELDS, ...EVENTS[kind].fields });
}

const ENTRIES: Readonly<Record<string, EventEntry>> = EVENTS;

/** Names of a kind in filters: its own name, and the names that other servers use for it. */
export function eventNames(kind: string): readonly string[] {
  return [kind, ...((Object.hasOwn(ENTRIES, kind) ? ENTRIES[kind]?.aliases : undefined) ?? [])];
}
