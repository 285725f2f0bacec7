import { z } from 'zod';
import { mediaInfoSchema } from './media-info.ts';
import { READ_ONLY, flag, integer, text } from './api-parts.ts';

/** Maximum number of entries in one folder listing. */
export const VOD_FILES_MAX = 10_000;

/** A file or folder of a VOD location. */
export const vodFileObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'first part of its addresses: prefix of the location and path' }),
  prefix: text('prefix of its location'),
  url: text('path or URL'),
  folder: text('path of its folder below the location; empty for the location itself'),
  subpath: text('path below the location'),
  bytes: integer('length of the file; 0 for a folder'),
  is_directory: flag('whether it is a folder'),
  is_multibitrate_directory: flag('whether it is a folder whose files are renditions of each other'),
  opened: flag('whether it was played lately, and its index is in memory'),
  stats: z
    .object({
      worker_count: integer('processes that read it'),
      client_count: integer('current viewers'),
      bytes_in: integer('bytes read since it was opened'),
      bytes_out: integer('bytes delivered since it was opened'),
      media_info: mediaInfoSchema.nullable().describe('size and tracks'),
    })
    .nullable()
    .describe('null for a file that is not open'),
});
export type VodFileObject = z.infer<typeof vodFileObjectSchema>;
