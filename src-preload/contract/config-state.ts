import { z } from 'zod';

/** Error or warning in a configuration text. */
export const configProblemSchema = z.object({
  code: z.string().describe('as in the list of errors'),
  message: z.string(),
  line: z.number().int().describe('line of the text, counted from 1'),
  column: z.number().int().describe('character of that line, counted from 1'),
});
export type ConfigWarning = z.infer<typeof configProblemSchema>;

/** Warnings about a valid text, at most a hundred; absent if there are none. */
const configWarningsSchema = z.array(configProblemSchema).optional();

/** State of the configuration, as the desk shows it. */
export const configStateSchema = z.object({
  error: z.string().nullable().describe('what is wrong with the file on disk; null while it can be read'),
  version: z.number().int().nullable().describe('number of the version in force; null where it is not in the history'),
  file_is_newer: z
    .boolean()
    .describe('whether the file was edited since the server read or wrote it; checked every few seconds'),
  is_saved: z.boolean().describe('whether the file says what is in force'),
  pending: z
    .object({
      version: z.number().int().nullable(),
      confirm_by: z.number().int().describe('epoch milliseconds at which it is taken back'),
      who: z.string(),
      from_where: z.string(),
    })
    .nullable()
    .describe('the change that waits for its confirmation'),
});
export type ConfigState = z.infer<typeof configStateSchema>;

/** Configuration after a change of its text, with warnings for its author. */
export const configAppliedSchema = configStateSchema.extend({ warnings: configWarningsSchema });

/** Difference between the file on disk and the running configuration. Secrets are masked. */
export const configFileDiffSchema = z.object({
  error: z.string().nullable().describe('what is wrong with the file; null where it can be put into force'),
  warnings: configWarningsSchema,
  hunks: z.array(
    z.object({
      oldLine: z.number().int().describe('line of what is in force, counted from 1'),
      newLine: z.number().int().describe('line of the file'),
      removed: z.array(z.string()),
      added: z.array(z.string()),
    }),
  ),
});
export type ConfigFileDiff = z.infer<typeof configFileDiffSchema>;

/** Version of the configuration that was put into force. */
export const configVersionSchema = z.object({
  id: z.number().int(),
  parent_id: z.number().int().nullable().describe('the version that was in force before'),
  at: z.number().int().describe('epoch milliseconds'),
  who: z.string(),
  from_where: z.string(),
  summary: z.string().describe('the difference to the version before, in a few words'),
  state: z.enum(['confirmed', 'pending', 'rolled_back']),
  confirm_by: z.number().int().nullable().describe('epoch milliseconds; null where it waits for nothing'),
  on_disk: z.boolean().describe('whether it got into the file'),
  length: z.number().int().describe('characters of the text'),
  is_current: z.boolean().describe('whether it is in force'),
});
