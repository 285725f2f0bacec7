import { z } from 'zod';
import {
  READ_ONLY,
  drmSchema,
  flag,
  integer,
  optionalFlag,
  optionalInteger,
  optionalNumber,
  optionalText,
  sessionBackendSchema,
  text,
} from './api-parts.ts';

/** VOD location: recorded files that are played under a URL prefix. */
export const vodObjectSchema = z.object({
  prefix: z.string().meta({ ...READ_ONLY, description: 'unique; first part of the addresses of its files' }),
  position: integer('sort position in lists: smaller numbers first'),
  storages: z
    .array(z.object({ url: text('path of a folder, or URL of a remote location') }))
    .meta({ 'x-key': 'url', description: 'searched in order' }),
  disabled: flag('whether the location is switched off but stays in the configuration; default false'),
  auto_mbr: flag('whether files of one folder are renditions of each other; default false'),
  on_play: sessionBackendSchema.optional().describe('backend that authorizes playback'),
  auth: sessionBackendSchema.optional().describe('the older form of on_play'),
  cache: optionalText('name of the cache for files of a remote location'),
  read_queue: optionalInteger('number of concurrent reads'),
  download: flag('whether complete files may be downloaded; default false'),
  thumbnails: optionalFlag('whether thumbnails for seeking are created'),
  protocols: z
    .array(z.string())
    .optional()
    .describe('allowed playback protocols; a leading - excludes one; default: all'),
  segment_duration: optionalNumber('minimum duration of a segment in seconds'),
  timeout: optionalNumber('timeout of a remote location, in seconds'),
  logo: optionalText('logo in a corner of the player: a path, or @ and a name'),
  drm: drmSchema.optional().describe('encryption of segments'),
});
