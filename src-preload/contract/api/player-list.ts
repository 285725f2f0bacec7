import { z } from 'zod';
import { mediaInfoSchema } from './media-info.ts';
import { streamStatusSchema } from './streams.ts';
import { PORTION, flag, integer, text, textOrNull, timestampSchema } from './api-parts.ts';

/** Stream as players need it: without its inputs. */
export const playerStreamSchema = z.object({
  name: text('unique name of the stream'),
  title: textOrNull('display name; null without one'),
  provider: textOrNull('provider of the programme; null without one'),
  named_by: z
    .enum(['config', 'user', 'remote', 'external'])
    .describe('config: in the configuration; user: published under a live prefix; others do not occur in this version'),
  position: integer('sort position in lists'),
  playback: z
    .object({
      hls: text('HLS multivariant playlist'),
      dash: text('MPD'),
      ts: text('MPEG-TS over HTTP'),
      embed: text('page with a player'),
      preview: text('picture of the last key frame (JPEG)'),
    })
    .describe('paths on this server'),
  stats: z
    .object({
      status: streamStatusSchema.describe(
        'running: has frames; warning: has frames, but a track of its input cannot be carried; waiting: for a publisher or a viewer; error: retries, or no track of its input can be carried',
      ),
      alive: flag('whether a frame came in the last 12 seconds'),
      bitrate: integer('kbit/s of all tracks over the last seconds'),
      last_dts_at: timestampSchema.describe('last frame, epoch milliseconds; null before the first'),
      dvr_info: z
        .object({
          from: integer('oldest media time of the archive, epoch seconds'),
          depth: integer('length of the archive in seconds, including gaps'),
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
