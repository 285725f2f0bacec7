import { z } from 'zod';

/** The body of every error: a list for new tools, and the bare code for old ones. */
export const errorObjectSchema = z.object({
  errors: z.array(
    z.object({
      code: z.string().describe('never renamed; docs/errors.md lists all'),
      status: z.string().describe('HTTP status as text'),
      title: z.string(),
      detail: z.string().optional(),
      source: z
        .object({
          parameter: z.string().optional(),
          pointer: z.string().optional().describe('JSON Pointer into the body'),
        })
        .optional(),
      meta: z.record(z.string(), z.string()).optional(),
    }),
  ),
  error: z.string().meta({ deprecated: true, 'x-delete-at': '2.0.0', description: 'the code of the first error' }),
  line: z.number().int().optional().describe('of a configuration text: where the first mistake is, from 1'),
  col: z.number().int().optional(),
  first_error_line: z.number().int().optional(),
  first_error_col: z.number().int().optional(),
  path: z
    .array(z.union([z.string(), z.number().int()]))
    .optional()
    .describe('of a configuration: where the value stands'),
  detail: z.string().optional(),
});
