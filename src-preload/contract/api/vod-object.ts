import { z } from 'zod';
import { drmSchema, READ_ONLY, sessionBackendSchema } from './api-parts.ts';

/** VOD location: recorded files that are played under a URL prefix. */
export const vodObjectSchema = z.object({
  prefix: z.string().meta({ ...READ_ONLY, description: 'unique; first part of the addresses of its files' }),
  position: z.number().int().describe('sort position in lists: smaller numbers first'),
  storages: z
    .array(z.object({ url: z.string().describe('path of a folder, or URL of a remote location') }))
    .meta({ 'x-key': 'url', description: 'searched in order' }),
  disabled: z.boolean().describe('whether the location is switched off but stays in the configuration; default false'),
  auto_mbr: z.boolean().describe('whether files of one folder are renditions of each other; default false'),
  on_play: sessionBackendSchema.optional().describe('backend that authorizes playback'),
  auth: sessionBackendSchema.optional().describe('the older form of on_play'),
  cache: z.string().optional().describe('name of the cache for files of a remote location'),
  read_queue: z.number().int().optional().describe('number of concurrent reads'),
  download: z.boolean().describe('whether complete files may be downloaded; default false'),
  thumbnails: z.boolean().optional().describe('whether thumbnails for seeking are created'),
  protocols: z
    .array(z.string())
    .optional()
    .describe('allowed playback protocols; a leading - excludes one; default: all'),
  segment_duration: z.number().optional().describe('minimum duration of a segment in seconds'),
  timeout: z.number().optional().describe('timeout of a remote location, in seconds'),
  logo: z.string().optional().describe('logo in a corner of the player: a path, or @ and a name'),
  drm: drmSchema.optional().describe('encryption of segments'),
});
