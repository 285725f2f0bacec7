import { z } from 'zod';
import { mediaInfoSchema } from './media-info.ts';
import { streamStatusSchema } from './streams.ts';
import { PORTION, timestampSchema } from './api-parts.ts';

/** Stream as players need it: without its inputs. */
export const playerStreamSchema = z.object({
  name: z.string().describe('unique name of the stream'),
  title: z.string().nullable().describe('display name; null without one'),
  provider: z.string().nullable().describe('provider of the programme; null without one'),
  named_by: z
    .enum(['config', 'user', 'remote', 'external'])
    .describe('config: in the configuration; user: published under a live prefix; others do not occur in this version'),
  position: z.number().int().describe('sort position in lists'),
  playback: z
    .object({
      hls: z.string().describe('HLS multivariant playlist'),
      dash: z.string().describe('MPD'),
      ts: z.string().describe('MPEG-TS over HTTP'),
      embed: z.string().describe('page with a player'),
      preview: z.string().describe('picture of the last key frame (JPEG)'),
    })
    .describe('paths on this server'),
  stats: z
    .object({
      status: streamStatusSchema.describe(
        'running: has frames; warning: has frames, but a track of its input cannot be carried; waiting: for a publisher or a viewer; error: retries, or no track of its input can be carried',
      ),
      alive: z.boolean().describe('whether a frame came in the last 12 seconds'),
      bitrate: z.number().int().describe('kbit/s of all tracks over the last seconds'),
      last_dts_at: timestampSchema.describe('last frame, epoch milliseconds; null before the first'),
      dvr_info: z
        .object({
          from: z.number().int().describe('oldest media time of the archive, epoch seconds'),
          depth: z.number().int().describe('length of the archive in seconds, including gaps'),
        })
        .nullable()
        .describe('recorded range; null without recordings, or with dvr_protected'),
      media_info: mediaInfoSchema.nullable().describe('size and tracks; null before the first frame'),
    })
    .describe('current state of the stream'),
});
export type PlayerStream = z.infer<typeof playerStreamSchema>;

/** `GET /-/streams`. */
export const playerListSchema = z.object({
  streams: z
    .array(
      playerStreamSchema.partial().extend({
        stats: playerStreamSchema.shape.stats.partial().optional().describe('current state of the stream'),
      }),
    )
    .describe('streams, or only their selected fields'),
  ...PORTION,
});
