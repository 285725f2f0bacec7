import { z } from 'zod';

/** Creates fields of one type from their descriptions. */
const described =
  <S extends z.ZodType>(schema: S) =>
  (description: string): S =>
    schema.describe(description);

/** Text. */
export const text = described(z.string());
export const textOrNull = described(z.string().nullable());
export const optionalText = described(z.string().optional());
/** Whole number. */
export const integer = described(z.number().int());
export const integerOrNull = described(z.number().int().nullable());
export const optionalInteger = described(z.number().int().optional());
/** Number with decimals. */
export const number = described(z.number());
export const numberOrNull = described(z.number().nullable());
export const optionalNumber = described(z.number().optional());
/** True or false. */
export const flag = described(z.boolean());
export const flagOrNull = described(z.boolean().nullable());
export const optionalFlag = described(z.boolean().optional());

/** Marks a field that answers contain and requests may contain without effect. */
export const READ_ONLY = { readOnly: true } as const;

/** Marks a field that may change without notice. */
export const PRIVATE = { 'x-private': true } as const;

/** Marks a field that a later version removes. */
export function deprecated(description: string): {
  readonly description: string;
  readonly deprecated: true;
  readonly 'x-delete-at': string;
} {
  return { description, deprecated: true, 'x-delete-at': '2.0.0' };
}

/** Epoch milliseconds, null for never or not known. */
export const timestampSchema = z.number().int().nullable();

/** Options that are passed on unchanged. */
export const optionsSchema = z.record(z.string(), z.string());

/** Storage and depth of a recording. */
export const recordingSchema = z.object({
  root: text('a path, or @ and the name of a storage'),
  expiration: optionalNumber('retention in seconds'),
  storage_limit: optionalInteger('maximum size in bytes'),
  disk_usage_limit: optionalInteger('maximum disk usage in percent'),
  copy: optionalText('URL to which finished hours are copied'),
});

/** Fields of a list answer that comes in pages. */
export const PORTION = {
  next: textOrNull('cursor of the next page; null on the last page'),
  prev: textOrNull('cursor of the previous page; null on the first page'),
  estimated_count: integer('number of objects that match the filters, on all pages'),
  timing: z.record(z.string(), z.number()).meta({ ...PRIVATE, description: 'milliseconds of each step' }),
};
