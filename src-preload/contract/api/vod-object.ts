import { z } from 'zod';
import { drmSchema, READ_ONLY, sessionBackendSchema } from './api-parts.ts';

/** A place with recorded files, played under its prefix. */
export const vodObjectSchema = z.object({
  prefix: z.string().meta(READ_ONLY),
  position: z.number().int().describe('place in lists'),
  storages: z.array(z.object({ url: z.string() })).meta({ 'x-key': 'url', description: 'searched in order' }),
  disabled: z.boolean(),
  auto_mbr: z.boolean().describe('whether files of one folder are renditions of each other'),
  on_play: sessionBackendSchema.optional(),
  auth: sessionBackendSchema.optional(),
  cache: z.string().optional(),
  read_queue: z.number().int().optional(),
  download: z.boolean(),
  thumbnails: z.boolean().optional(),
  protocols: z.array(z.string()).optional(),
  segment_duration: z.number().optional().describe('seconds'),
  timeout: z.number().optional().describe('seconds'),
  logo: z.string().optional(),
  drm: drmSchema.optional(),
});
