import { z } from 'zod';
import { optionalExplanation } from '../explanations/explanation-schema.ts';
import { integer, integerOrNull, text, textOrNull } from './api-parts.ts';

/** States of a push. */
const PUSH_STATES = ['starting', 'pending', 'retry', 'running', 'error', 'disabled'] as const;

/** A push of a stream, with its state. */
export const pushStateSchema = z.object({
  index: integer('index in `pushes` of the stream, from 0'),
  url: text('target; keys and passwords masked'),
  state: z
    .enum(PUSH_STATES)
    .describe(
      'pending: waits for frames of the stream; starting: connects, or waits for a key frame; running: the target takes frames; retry: waits for the next attempt; error: no more attempts; disabled: switched off, or the stream is not open',
    ),
  code: textOrNull('code of the last fault; null without one, and after ten seconds without a fault'),
  detail: textOrNull('description of the fault in English'),
  explanation: optionalExplanation,
  since: integerOrNull('start of the state, epoch milliseconds; null while it is disabled'),
  tries: integer('attempts since it last ran for ten seconds'),
  bytes: integer('bytes sent since the stream was opened'),
  bytes_acknowledged: integerOrNull('bytes that the target confirmed in its protocol; null if it confirms none'),
  bitrate: integer('kbit/s sent over the last seconds'),
  lag: integer('milliseconds by which the target is behind'),
  dropped: integer('pictures and audio frames dropped because the target was too slow'),
  tracks: z.array(z.string()).describe('ids of the tracks that are sent'),
});
export type PushStateObject = z.infer<typeof pushStateSchema>;
