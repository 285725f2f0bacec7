import { z } from 'zod';

/** Help for one directive from the server's tables: used by completion, help and forms. */
export const directiveHelpSchema = z.object({
  name: z.string(),
  aliases: z.array(z.string()).describe('other names that mean the same'),
  usage: z.string(),
  doc: z.string().describe('what it does, in sentences'),
  example: z.string(),
  default: z.string().nullable().describe('what holds without it, as it would be written; null where nothing holds'),
  unit: z.string().nullable().describe('unit of a number written without one'),
  form: z.enum(['value', 'flag', 'list', 'record', 'block', 'free']).describe('`free`: kept as written'),
  is_repeated: z.boolean().describe('whether it may come several times in a block'),
  restarts: z.boolean().describe('whether a change of it restarts what it concerns'),
  is_secret: z.boolean(),
  is_reserved: z.boolean().describe('understood and kept, without effect in this version'),
  choices: z.array(z.string()).describe('the words that it may have; empty where there is no list of them'),
  takes_options: z.boolean().describe('whether `key=value` is an option; otherwise it is a word'),
  options: z
    .array(z.object({ name: z.string(), choices: z.array(z.string()) }))
    .describe('keys that are known for `key=value`'),
  block: z.string().nullable().describe('which block stands in its braces'),
});
export type DirectiveHelp = z.infer<typeof directiveHelpSchema>;
