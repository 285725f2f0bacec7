import { z } from 'zod';
import { drmSchema, READ_ONLY, sessionBackendSchema } from './api-parts.ts';

/** VOD location: recorded files that are played under a URL prefix. */
export const vodObjectSchema = z.object({
  prefix: z.string().meta({ ...READ_ONLY, description: 'unique; what the addresses of its files begin with' }),
  position: z.number().int().describe('place in lists: smaller numbers first'),
  storages: z
    .array(z.object({ url: z.string().describe('path of a folder, or address of a remote place') }))
    .meta({ 'x-key': 'url', description: 'searched in order' }),
  disabled: z.boolean().describe('whether it stays in the configuration and is not played; default false'),
  auto_mbr: z.boolean().describe('whether files of one folder are renditions of each other; default false'),
  on_play: sessionBackendSchema.optional().describe('the backend that is asked before a session plays'),
  auth: sessionBackendSchema.optional().describe('the older form of on_play'),
  cache: z.string().optional().describe('name of the cache for files of a remote place'),
  read_queue: z.number().int().optional().describe('how many reads run at once'),
  download: z.boolean().describe('whether whole files may be loaded; default false'),
  thumbnails: z.boolean().optional().describe('whether small pictures for seeking are made'),
  protocols: z
    .array(z.string())
    .optional()
    .describe('protocols that it may be played with; - before a name excludes it; all without it'),
  segment_duration: z.number().optional().describe('least duration of a segment in seconds'),
  timeout: z.number().optional().describe('seconds that a remote place may take to answer'),
  logo: z.string().optional().describe('picture in a corner of the player: a path, or @ and a name'),
  drm: drmSchema.optional().describe('how segments are encrypted'),
});
