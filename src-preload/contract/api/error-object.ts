import { z } from 'zod';

/** Body of every error: a list of errors for new clients and the bare code for old ones. */
export const errorObjectSchema = z.object({
  errors: z
    .array(
      z.object({
        code: z.string().describe('never renamed; docs/reference/errors.md lists all'),
        status: z.string().describe('HTTP status as text'),
        title: z.string().describe('what is wrong, in a few words; the same for every error of this code'),
        detail: z.string().optional().describe('what is wrong with this very request'),
        source: z
          .object({
            parameter: z.string().optional().describe('name of a parameter of the path, the query or the headers'),
            pointer: z.string().optional().describe('JSON Pointer into the body'),
          })
          .optional()
          .describe('where in the request the fault is'),
        meta: z.record(z.string(), z.string()).optional().describe('further facts by name'),
      }),
    )
    .describe('what is wrong; one entry, or one for each mistake of a configuration'),
  error: z.string().meta({ deprecated: true, 'x-delete-at': '2.0.0', description: 'the code of the first error' }),
  line: z.number().int().optional().describe('of a configuration text: where the first mistake is, from 1'),
  col: z.number().int().optional().describe('of a configuration text: the column of the first mistake, from 1'),
  first_error_line: z.number().int().optional().describe('the same as line'),
  first_error_col: z.number().int().optional().describe('the same as col'),
  path: z
    .array(z.union([z.string(), z.number().int()]))
    .optional()
    .describe('of a configuration: where the value stands'),
  detail: z.string().optional().describe('of a configuration: what is wrong with it'),
});
