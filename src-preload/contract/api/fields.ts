import { z } from 'zod';

/** Makes the fields of one type from their descriptions. */
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
