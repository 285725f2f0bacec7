import { z } from 'zod';
import { integer, number, text, textOrNull } from '../api-parts.ts';

/** A row of the as-run log: one clip shown to one viewer. */
export const asRunObjectSchema = z.object({
  id: text('id of the showing; the `showing_id` of its events'),
  sent_at: integer('time at which its first segment was sent, epoch milliseconds'),
  stream: text('name of the stream'),
  session_id: text('the session of the viewer'),
  path: text('the clip, as LOCATION/FILE'),
  break_id: text('id of the break; a break of a splice point has the same id for all viewers'),
  placement: z.enum(['preroll', 'midroll']).describe('preroll or midroll'),
  midroll_insert_by: z.enum(['splicing', 'interval']).nullable().describe('trigger of the break; null for a preroll'),
  dts: integer('epoch milliseconds of its first key frame, on the timeline of the viewer'),
  duration: number('length of the clip, in seconds'),
  sent: number('sent part of the clip, in seconds'),
  progress: integer('last quarter reached, in percent: 0 with its first segment, 100 when all of it was sent'),
  proto: text('protocol: `hls` or `dash`'),
  country: textOrNull('country of the viewer (ISO 3166-1), null if unknown'),
  user_id: textOrNull('user that the authorization backend named, null without one'),
});
/** A row of the as-run log. */
export type AsRunObject = z.infer<typeof asRunObjectSchema>;

/** Fields of a row, in the order of the CSV columns. */
export const AS_RUN_FIELDS = Object.keys(asRunObjectSchema.shape) as readonly AsRunField[];
/** Name of a field of a row. */
export type AsRunField = keyof AsRunObject;

/** Last line of an export, with which its reader verifies that the lines before it are complete and unchanged. */
export const asRunProofSchema = z.object({
  rows: integer('number of rows before it'),
  sha256: text('SHA-256 of all bytes before its line, hexadecimal'),
  signed_at: integer('epoch milliseconds'),
  signature: text('Ed25519 signature of the canonical JSON (RFC 8785) of the three fields before, in base64'),
});
