import { z } from 'zod';
import {
  configAppliedSchema,
  configFileDiffSchema,
  configProblemSchema,
  configStateSchema,
  configVersionSchema,
} from './config-state.ts';
import { directiveHelpSchema } from '../config-language/directive-help.ts';
import { configImpactSchema } from './config-impact.ts';
import { reads, writes, type OperationTable } from './operation.ts';
import { integerOrNull, text } from '../api/api-parts.ts';

const nothing = z.object({});

/** Maximum length of a configuration text that the desk edits, in characters. Longer texts are edited in the file or by HTTP. */
const DESK_TEXT_MAX = 2_000_000;
/** Maximum number of directives that one call changes. */
const EDITS_MAX = 100;
/** Maximum number of words or options of one directive. */
const WORDS_MAX = 1000;

const textSchema = z.string().max(DESK_TEXT_MAX);
const revisionSchema = z.string().max(60).describe('version of the configuration from which the text was made');
const confirmWithinSchema = z
  .number()
  .int()
  .min(1)
  .max(86_400)
  .optional()
  .describe('trial period in seconds; permanent without it');

/** Directive that a form sets or removes. */
const directiveEditSchema = z.object({
  block: z.enum(['stream', 'live', 'template']),
  name: z.string().min(1).max(200).describe('name of the stream, live prefix or template'),
  directive: z.string().min(1).max(100),
  index: z.number().int().min(0).max(WORDS_MAX).describe('index among the statements of this name, from 0'),
  words: z
    .array(z.string().max(4096))
    .max(WORDS_MAX)
    .nullable()
    .describe('values without quotation marks; null removes the directive'),
  options: z.record(z.string().max(100), z.string().max(4096)).optional().describe('options after the change'),
});
export type DirectiveEdit = z.infer<typeof directiveEditSchema>;

/** Bridge calls for the configuration as a whole. */
export const CONFIG_CALLS = {
  'config.text': {
    ...reads('edit', 'server'),
    sameAs: ['config_get', 'read_config'],
    input: nothing,
    output: z.object({
      text: text('running configuration, with masked secrets'),
      revision: revisionSchema,
      version: integerOrNull('number of the version; null if it is not in the history'),
    }),
  },
  'config.version_text': {
    ...reads('edit', 'server'),
    sameAs: ['config_version_text'],
    input: z.object({ id: z.number().int().min(1) }),
    output: z.object({ text: text('secrets are masked') }),
  },
  'config.directives': {
    ...reads('edit', 'server'),
    input: nothing,
    output: z.object({
      blocks: z
        .record(z.string(), z.array(directiveHelpSchema))
        .describe('directives by kind of block; `file` is the top level'),
    }),
  },
  'config.check': {
    ...reads('edit', 'server'),
    sameAs: ['config_validate'],
    input: z.object({ text: textSchema }),
    output: z.object({
      errors: z.array(configProblemSchema).describe('at most 100; without errors the text may be applied'),
      warnings: z.array(configProblemSchema).describe('at most 100'),
      impact: configImpactSchema.nullable().describe('present effect of applying it; null with errors'),
    }),
  },
  'config.edit_text': {
    ...reads('edit', 'server'),
    sameAs: ['config_validate'],
    input: z.object({ text: textSchema, edits: z.array(directiveEditSchema).min(1).max(EDITS_MAX) }),
    output: z.object({
      text: text('only edited lines differ; unchanged with errors'),
      errors: z.array(configProblemSchema).describe('reasons why the edits failed'),
    }),
  },
  'config.apply': {
    ...writes('edit', 'server'),
    sameAs: ['config_save', 'save_config'],
    input: z.object({ text: textSchema, revision: revisionSchema, confirm_within: confirmWithinSchema }),
    output: configAppliedSchema,
  },
  'config.state': { ...reads('view', 'server'), input: nothing, output: configStateSchema },
  'config.versions': {
    ...reads('edit', 'server'),
    sameAs: ['config_versions_list'],
    input: z.object({
      limit: z.number().int().min(1).max(200),
      before: z.number().int().min(1).optional().describe('only versions with a smaller number'),
    }),
    output: z.object({
      versions: z.array(configVersionSchema),
      next: integerOrNull('`before` of the next page'),
    }),
  },
  'config.compare_file': {
    ...reads('edit', 'server'),
    sameAs: ['config_version_diff'],
    input: nothing,
    output: configFileDiffSchema,
  },
  'config.undo': {
    ...writes('edit', 'server'),
    sameAs: ['config_version_restore'],
    input: z.object({
      version: z.number().int().min(1).describe('present version; the previous one is restored'),
    }),
    output: configStateSchema,
  },
  'config.confirm': {
    ...writes('edit', 'server'),
    sameAs: ['config_confirm'],
    input: nothing,
    output: configStateSchema,
  },
  'config.rollback': {
    ...writes('edit', 'server'),
    sameAs: ['config_rollback'],
    input: nothing,
    output: configStateSchema,
  },
  'config.reload': {
    ...writes('edit', 'server'),
    sameAs: ['config_reload', 'reload'],
    input: nothing,
    output: configAppliedSchema,
  },
  'config.restore': {
    ...writes('edit', 'server'),
    sameAs: ['config_version_restore'],
    input: z.object({
      id: z.number().int().min(1),
      confirm_within: confirmWithinSchema,
    }),
    output: configAppliedSchema,
  },
} as const satisfies OperationTable;
