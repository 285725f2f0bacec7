import { z } from 'zod';
import { configChangesSchema } from '../config-language/config-changes.ts';
import { optionalExplanation } from '../explanations/explanation-schema.ts';
import { flag, integer, integerOrNull, text, textOrNull } from '../api/api-parts.ts';

/** Error or warning in a configuration text. */
export const configProblemSchema = z.object({
  code: text('error code'),
  message: text('English sentence of `explanation`'),
  explanation: optionalExplanation,
  line: integer('line of the text, from 1'),
  column: integer('column in the line, from 1'),
});
export type ConfigWarning = z.infer<typeof configProblemSchema>;

/** Warnings about a valid text, at most a hundred; absent if there are none. */
const configWarningsSchema = z.array(configProblemSchema).optional();

/** State of the configuration, as the desk shows it. */
export const configStateSchema = z.object({
  error: textOrNull('error in the file on disk; null if it can be read'),
  version: integerOrNull('number of the running version; null if it is not in the history'),
  file_is_newer: flag('whether the file was edited since the server last read or wrote it; checked every few seconds'),
  is_saved: flag('whether the file contains the running configuration'),
  pending: z
    .object({
      version: z.number().int().nullable(),
      confirm_by: integer('time of the rollback, epoch milliseconds'),
      who: z.string(),
      from_where: z.string(),
    })
    .nullable()
    .describe('change on trial'),
});
export type ConfigState = z.infer<typeof configStateSchema>;

/** Configuration after a change of its text, with warnings for its author. */
export const configAppliedSchema = configStateSchema.extend({ warnings: configWarningsSchema });

/** Difference between the file on disk and the running configuration. Secrets are masked. */
export const configFileDiffSchema = z.object({
  error: textOrNull('error in the file; null if it can be applied'),
  warnings: configWarningsSchema,
  hunks: z.array(
    z.object({
      oldLine: integer('line of the running configuration, from 1'),
      newLine: integer('line of the file, from 1'),
      removed: z.array(z.string()),
      added: z.array(z.string()),
    }),
  ),
});
export type ConfigFileDiff = z.infer<typeof configFileDiffSchema>;

/** Version of the configuration that was applied. */
export const configVersionSchema = z.object({
  id: z.number().int(),
  parent_id: integerOrNull('previous version'),
  at: integer('epoch milliseconds'),
  who: z.string(),
  from_where: z.string(),
  summary: text('summary of the difference to the previous version, in English'),
  changes: configChangesSchema
    .nullable()
    .describe('facts of the summary; null for a version that an earlier release stored'),
  state: z.enum(['confirmed', 'pending', 'rolled_back']),
  confirm_by: integerOrNull('end of the trial, epoch milliseconds; null without a trial'),
  on_disk: flag('whether it was written to the file'),
  length: integer('characters of the text'),
  is_current: flag('whether it is the running version'),
});
