import { z } from 'zod';

/** Help for one directive from the server's tables: used by completion, help and forms. */
export const directiveHelpSchema = z.object({
  name: z.string(),
  aliases: z.array(z.string()).describe('alternative names'),
  usage: z.string(),
  doc: z.string().describe('description in English sentences'),
  doc_code: z.string().describe('code of the description, for other languages'),
  example: z.string(),
  default: z.string().nullable().describe('default in the notation of the configuration; null without one'),
  unit: z.string().nullable().describe('default unit of numbers'),
  form: z.enum(['value', 'flag', 'list', 'record', 'block', 'free']).describe('`free`: kept as written'),
  is_repeated: z.boolean().describe('whether a block may contain it several times'),
  restarts: z.boolean().describe('whether a change restarts the object'),
  is_secret: z.boolean(),
  is_reserved: z.boolean().describe('accepted, without effect in this version'),
  choices: z.array(z.string()).describe('allowed words; empty if there is no list'),
  takes_options: z.boolean().describe('whether `key=value` is an option; otherwise it is a word'),
  options: z.array(z.object({ name: z.string(), choices: z.array(z.string()) })).describe('known option keys'),
  block: z.string().nullable().describe('kind of its block'),
});
export type DirectiveHelp = z.infer<typeof directiveHelpSchema>;
