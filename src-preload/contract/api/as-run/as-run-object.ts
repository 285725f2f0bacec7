import { z } from 'zod';

/** A row of the as-run log: one clip shown to one viewer. */
export const asRunObjectSchema = z.object({
  id: z.string().describe('names the showing; the `showing_id` of its events'),
  sent_at: z.number().int().describe('when the first segment of it was sent, epoch milliseconds'),
  stream: z.string().describe('name of the stream'),
  session_id: z.string().describe('the session of the viewer'),
  path: z.string().describe('the clip, as LOCATION/FILE'),
  break_id: z.string().describe('names the break; one by a splice point has the same name for all viewers'),
  placement: z.enum(['preroll', 'midroll']).describe('before the stream, or during it'),
  midroll_insert_by: z.enum(['splicing', 'interval']).nullable().describe('what called for it; null for a preroll'),
  dts: z.number().int().describe('epoch milliseconds of its first key frame, on the timeline of the viewer'),
  duration: z.number().describe('length of the clip, in seconds'),
  sent: z.number().describe('how much of it was sent, in seconds'),
  progress: z
    .number()
    .int()
    .describe('the quarter that was reached, in percent: 0 with its first segment, 100 where all of it was sent'),
  proto: z.string().describe('how it was played: `hls` or `dash`'),
  country: z.string().nullable().describe('country of the viewer (ISO 3166-1), null where it is not known'),
  user_id: z.string().nullable().describe('user that the authorization backend named, null without one'),
});
/** A row of the as-run log. */
export type AsRunObject = z.infer<typeof asRunObjectSchema>;

/** Fields of a row, in the order of the CSV columns. */
export const AS_RUN_FIELDS = Object.keys(asRunObjectSchema.shape) as readonly AsRunField[];
/** Name of a field of a row. */
export type AsRunField = keyof AsRunObject;

/** Last line of an export: proves that the lines before it are complete and unchanged. */
export const asRunProofSchema = z.object({
  rows: z.number().int().describe('rows before it'),
  sha256: z.string().describe('of all bytes before its line, hexadecimal'),
  signed_at: z.number().int().describe('epoch milliseconds'),
  signature: z.string().describe('Ed25519 of the canonical JSON (RFC 8785) of the three before, in base 64'),
});
