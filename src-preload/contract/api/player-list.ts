import { z } from 'zod';
import { mediaInfoSchema } from '../media-info.ts';
import { streamStatusSchema } from '../streams.ts';
import { timestampSchema } from './api-parts.ts';

/** A stream as players need it: nothing of its inputs. */
export const playerStreamSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  provider: z.string().nullable(),
  named_by: z.enum(['config', 'user', 'remote', 'external']),
  position: z.number().int(),
  playback: z
    .object({ hls: z.string(), dash: z.string(), ts: z.string(), embed: z.string(), preview: z.string() })
    .describe('paths on this server'),
  stats: z.object({
    status: streamStatusSchema,
    alive: z.boolean(),
    bitrate: z.number().int().describe('kbit/s'),
    last_dts_at: timestampSchema.describe('last frame'),
    media_info: mediaInfoSchema.nullable(),
  }),
});
export type PlayerStream = z.infer<typeof playerStreamSchema>;

/** `GET /-/streams`. */
export const playerListSchema = z.object({
  streams: z.array(playerStreamSchema.partial().extend({ stats: playerStreamSchema.shape.stats.partial().optional() })),
  next: z.string().nullable(),
  prev: z.string().nullable(),
  estimated_count: z.number().int(),
  timing: z.record(z.string(), z.number()),
});
