import { z } from 'zod';

/** Track in the `media_info` of the specification. */
const trackInfoSchema = z.object({
  content: z.enum(['video', 'audio']).describe('kind of the track'),
  codec: z.string().describe('name of the codec, such as h264 or aac'),
  track_id: z.string().describe('unique in the stream: v1, a1 …'),
  bitrate: z.number().int().optional().describe('kbit/s over the last seconds'),
  lang: z.string().optional().describe('language code (RFC 5646)'),
  size: z.string().optional().describe('coded size as WxH in pixels'),
  fps: z.number().optional().describe('frames per second, as declared'),
  width: z.number().int().optional().describe('coded width in pixels'),
  height: z.number().int().optional().describe('coded height in pixels'),
  pixel_width: z.number().int().optional().describe('width in square pixels'),
  pixel_height: z.number().int().optional().describe('height in square pixels'),
  sar_width: z.number().int().optional().describe('numerator of the sample aspect ratio'),
  sar_height: z.number().int().optional().describe('denominator of the sample aspect ratio'),
  rotation: z
    .number()
    .int()
    .optional()
    .describe('clockwise rotation for display, in degrees; absent without a transformation'),
  display_width: z
    .number()
    .int()
    .optional()
    .describe('width after rotation and scaling in square pixels; absent like `rotation`'),
  display_height: z
    .number()
    .int()
    .optional()
    .describe('height after rotation and scaling in square pixels; absent like `rotation`'),
  scan: z.enum(['progressive', 'interlaced']).optional().describe('absent for progressive pictures'),
  length_size: z.number().int().optional().describe('size of the length before each NAL unit, in bytes'),
  profile: z.string().optional().describe('profile of the codec'),
  level: z.string().optional().describe('level of the codec'),
  channels: z.number().int().optional().describe('audio channels'),
  sample_rate: z.number().int().optional().describe('audio samples per second'),
});
export type TrackInfo = z.infer<typeof trackInfoSchema>;

/** Track that is left out because its codec cannot be carried, or because it is encrypted. */
export const leftOutTrackSchema = z.object({
  content: z.enum(['video', 'audio']).describe('picture or sound'),
  codec: z.string().describe('name of the codec, for example `MPEG-2 video`'),
  is_encrypted: z.literal(true).optional().describe('present if it is left out because it is encrypted (DRM)'),
});
export type LeftOutTrackInfo = z.infer<typeof leftOutTrackSchema>;

/** Tracks of a stream. `tracks` repeats `streams`: clients read one or the other. */
export const mediaInfoSchema = z.object({
  width: z.number().int().optional().describe('width of the video in pixels'),
  height: z.number().int().optional().describe('height of the video in pixels'),
  duration: z.number().int().optional().describe('length of a file in milliseconds'),
  left_out: z.array(leftOutTrackSchema).optional().describe('tracks of a file that cannot be played'),
  streams: z.array(trackInfoSchema).describe('same as tracks, for clients that expect this name'),
  tracks: z.array(trackInfoSchema).describe('tracks of the stream'),
});
export type MediaInfo = z.infer<typeof mediaInfoSchema>;
