import { z } from 'zod';

const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Rule for a text of one line: no control characters, because they mislead readers and corrupt logs and exports. */
export const LINE = [
  (text: string): boolean => !CONTROL.test(text) && text.isWellFormed(),
  'The text has a control character or a line break',
] as const;

/** Rule for a text of several lines: no control characters except line breaks and tabs. */
export const LINES = [
  (text: string): boolean => !CONTROL.test(text.replaceAll(/\r\n|[\n\t]/g, '')) && text.isWellFormed(),
  'The text has a control character',
] as const;

/** Reason of an action, in several lines. */
export const reasonSchema = z
  .string()
  .max(1000)
  .refine(...LINES);
