import { z } from 'zod';

/** One track as the specification's `media_info` shows it. */
const trackInfoSchema = z.object({
  content: z.enum(['video', 'audio']),
  codec: z.string(),
  track_id: z.string(),
  bitrate: z.number().int().optional().describe('kbit/s over the last seconds'),
  lang: z.string().optional(),
  size: z.string().optional().describe('WxH'),
  fps: z.number().optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  pixel_width: z.number().int().optional(),
  pixel_height: z.number().int().optional(),
  sar_width: z.number().int().optional(),
  sar_height: z.number().int().optional(),
  length_size: z.number().int().optional(),
  profile: z.string().optional(),
  level: z.string().optional(),
  channels: z.number().int().optional(),
  sample_rate: z.number().int().optional(),
});
export type TrackInfo = z.infer<typeof trackInfoSchema>;

/** Size and tracks of a stream. `tracks` repeats `streams`: newer clients read the one, older ones the other. */
export const mediaInfoSchema = z.object({
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  streams: z.array(trackInfoSchema),
  tracks: z.array(trackInfoSchema),
});
export type MediaInfo = z.infer<typeof mediaInfoSchema>;
