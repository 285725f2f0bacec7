import { z } from 'zod';
import { explanationSchema } from '../explanations/explanation-schema.ts';
import { optionalInteger, optionalText, text } from './api-parts.ts';

/** Body of every error: a list of errors, and the code alone for old clients. */
export const errorObjectSchema = z.object({
  errors: z
    .array(
      z.object({
        code: text('never renamed; docs/reference/errors.md lists all'),
        status: text('HTTP status as text'),
        title: text('description in a few words; the same for every error of this code'),
        detail: optionalText('description of this particular error'),
        explanation: explanationSchema.optional().describe('code and facts of `detail`'),
        source: z
          .object({
            parameter: optionalText('name of a parameter of the path, the query or the headers'),
            pointer: optionalText('JSON Pointer into the body'),
          })
          .optional()
          .describe('location of the error in the request'),
        meta: z.record(z.string(), z.string()).optional().describe('additional facts by name'),
      }),
    )
    .describe('one entry; for a configuration one per error'),
  error: z.string().meta({ deprecated: true, 'x-delete-at': '2.0.0', description: 'the code of the first error' }),
  line: optionalInteger('in a configuration text: line of the first error, from 1'),
  col: optionalInteger('in a configuration text: column of the first error, from 1'),
  first_error_line: optionalInteger('the same as line'),
  first_error_col: optionalInteger('the same as col'),
  path: z
    .array(z.union([z.string(), z.number().int()]))
    .optional()
    .describe('in a configuration: path of the value'),
  detail: optionalText('in a configuration: description of the error'),
});
