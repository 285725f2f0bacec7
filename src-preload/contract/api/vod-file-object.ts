import { z } from 'zod';
import { mediaInfoSchema } from './media-info.ts';
import { READ_ONLY } from './api-parts.ts';

/** Maximum number of entries in one folder listing. */
export const VOD_FILES_MAX = 10_000;

/** A file or folder of a VOD location. */
export const vodFileObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'first part of its addresses: prefix of the location and path' }),
  prefix: z.string().describe('prefix of its location'),
  url: z.string().describe('path or URL'),
  folder: z.string().describe('path of its folder below the location; empty for the location itself'),
  subpath: z.string().describe('path below the location'),
  bytes: z.number().int().describe('length of the file; 0 of a folder'),
  is_directory: z.boolean().describe('whether it was played recently and its index is in memory'),
  is_multibitrate_directory: z.boolean().describe('whether it is a folder whose files are renditions of each other'),
  opened: z.boolean().describe('whether it was played lately, and its index is in memory'),
  stats: z
    .object({
      worker_count: z.number().int().describe('processes that read it'),
      client_count: z.number().int().describe('current viewers'),
      bytes_in: z.number().int().describe('bytes read since it was opened'),
      bytes_out: z.number().int().describe('bytes delivered since it was opened'),
      media_info: mediaInfoSchema.nullable().describe('size and tracks'),
    })
    .nullable()
    .describe('null for a file that is not open'),
});
export type VodFileObject = z.infer<typeof vodFileObjectSchema>;
