import { z } from 'zod';
import { optionalExplanation } from '../explanations/explanation-schema.ts';
import { optionalInteger, text, textOrNull } from '../api/api-parts.ts';

/** Event levels, in ascending order. */
export const EVENT_LEVELS = ['debug', 'info', 'notice', 'warn', 'error', 'alert'] as const;
/** Level of an event. */
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** Entry of the event catalogue. */
export interface EventEntry<F extends z.ZodRawShape = z.ZodRawShape> {
  /** Sentence with the cause of the event. */
  readonly doc: string;
  readonly level: EventLevel;
  /** Present if this version does not emit the event, because the kind is reserved for a planned feature. */
  readonly isPlanned?: true;
  /** Alternative names for filters. */
  readonly aliases?: readonly string[];
  /** Fields besides the common ones: texts, numbers, booleans and null. */
  readonly fields: F;
}

/** Event kinds by name. */
export type EventTable = Readonly<Record<string, EventEntry>>;

/** Entry of the catalogue with the types of its fields preserved. */
export function eventEntry<const F extends z.ZodRawShape>(entry: EventEntry<F>): EventEntry<F> {
  return entry;
}

/** Fields of every event. */
export const COMMON_EVENT_FIELDS = {
  event_id: z
    .number()
    .int()
    .nonnegative()
    .describe(
      'number of the event; increases from event to event, across restarts. Repeated deliveries have the same number',
    ),
  utc_ms: z.number().int().nonnegative().describe('time of the event, in epoch milliseconds'),
  server: text('host name of the server'),
} as const;

/** Name of the stream that an event is about. */
export const media = text('name of the stream');
/** Code of the error catalogue. */
export const code = textOrNull('code of the error catalogue, null without one');
/** Description of the failure. */
export const detail = textOrNull('description for people, not for programs');
/** Explanation of the failure, for programs. */
export const explanation = optionalExplanation;
/** Remote address. */
export const ip = text('remote address');
/** Number of identical events within ten seconds. */
export const refusalCount = optionalInteger(
  'number of identical events in the last ten seconds; the first of them is sent at once, without this field',
);
/** Name and version that the client program gives. */
export const userAgent = textOrNull('user agent of the client');
