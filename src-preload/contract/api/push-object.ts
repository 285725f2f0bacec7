import { z } from 'zod';
import { optionalExplanation } from '../explanations/explanation-schema.ts';
import { flag, integer, integerOrNull, text, textOrNull } from './api-parts.ts';

/** States of a push. */
const PUSH_STATES = ['planned', 'starting', 'pending', 'retry', 'running', 'error', 'ended', 'disabled'] as const;

/** A push of a stream, with its state. */
export const pushStateSchema = z.object({
  id: text('id of the push in this stream; it changes with the address and the tracks, and does not reveal the key'),
  index: integer('index in `pushes` of the stream, from 0'),
  url: text('target; keys and passwords masked'),
  state: z
    .enum(PUSH_STATES)
    .describe(
      'planned: its planned start is later; pending: waits for frames of the stream; starting: connects, or waits for a key frame; running: the target takes frames; retry: waits for the next attempt; error: no more attempts; ended: its planned end has passed; disabled: the push or its stream is switched off',
    ),
  code: textOrNull('code of the last fault; null without one, and after ten seconds without a fault'),
  detail: textOrNull('description of the fault in English'),
  explanation: optionalExplanation,
  since: integerOrNull('start of the state, epoch milliseconds; null while the stream is not open'),
  tries: integer('attempts since it last ran for ten seconds'),
  bytes: integer('bytes sent since the stream was opened'),
  bytes_acknowledged: integerOrNull('bytes that the target confirmed in its protocol; null if it confirms none'),
  bitrate: integer('kbit/s sent over the last seconds'),
  lag: integer('milliseconds by which the target is behind'),
  dropped: integer('pictures and audio frames dropped because the target was too slow'),
  tracks: z.array(z.string()).describe('ids of the tracks that are sent'),
  start_at: integerOrNull('planned start, epoch milliseconds; null without one, and while it is switched off'),
  stop_at: integerOrNull('planned end, epoch milliseconds; null without one, and while it is switched off'),
});
export type PushStateObject = z.infer<typeof pushStateSchema>;

const seconds = z
  .union([z.number(), z.string().max(20)])
  .nullable()
  .optional();

/** Settings of a push other than its address, as in the list `pushes` of a stream. */
const optionFields = {
  tracks: z.string().max(400).nullable().optional().describe('ids of the tracks to send, such as v1a1; null: default'),
  retry_timeout: seconds.describe('seconds between attempts; null: default'),
  retry_limit: z.number().int().nullable().optional().describe('maximum number of attempts; null: no limit'),
  timeout: seconds.describe('seconds to wait for an answer, or for a target that accepts no data; null: default'),
  disabled: z.boolean().nullable().optional().describe('whether the push is off'),
};
const address = z.string().min(1).max(4096);
/** Value of an option that only some kinds of targets have. The configuration checks the names. */
const otherOption = z.union([z.string().max(4096), z.number(), z.boolean(), z.null()]);

/** A new push: its address, and options as in the list `pushes` of a stream. @param place fields that name its stream */
export function newPushSchema<P extends z.ZodRawShape>(place: P) {
  return z
    .object({ ...place, url: address.describe('address with the stream key'), ...optionFields })
    .catchall(otherOption);
}

/** A change of a push. Fields that are absent stay. @param place fields that name the push */
export function pushChangeSchema<P extends z.ZodRawShape>(place: P) {
  const url = address.optional().describe('other address, with the stream key');
  return z.object({ ...place, url, ...optionFields }).catchall(otherOption);
}

/** A push after a change of the configuration. */
export const pushChangedSchema = z.object({
  name: text('name of the stream'),
  id: text('id of the push'),
  version: integerOrNull('number of the new version of the configuration; null if nothing changed'),
});
/** The part of the state of a push that its lamp on the wall shows. */
export const pushLampSchema = pushStateSchema.pick({
  url: true,
  state: true,
  code: true,
  bytes_acknowledged: true,
  lag: true,
  start_at: true,
});
export type PushLampObject = z.infer<typeof pushLampSchema>;

/** A connection of a push that sent frames for ten seconds or until its end; or attempts in a row that all failed. */
export const pushTransmissionSchema = z.object({
  url: text('target; keys and passwords masked'),
  started_at: integer('time of the first frame, or of the first attempt if no frame was sent; epoch milliseconds'),
  ended_at: integerOrNull('epoch milliseconds; null while it runs, or if the server was killed'),
  has_sent: flag('whether a frame was sent'),
  bytes: integer('bytes sent'),
  tries: integer('attempts up to the one that sent frames'),
  code: textOrNull('code of the reason for the end; null while it runs'),
  detail: textOrNull('reason for the end in English'),
  explanation: optionalExplanation,
});
export type PushTransmissionObject = z.infer<typeof pushTransmissionSchema>;
