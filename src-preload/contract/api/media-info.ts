import { z } from 'zod';
import { optionalInteger, optionalNumber, optionalText, text } from './api-parts.ts';

/** Track in the `media_info` of the specification. */
const trackInfoSchema = z.object({
  content: z.enum(['video', 'audio']).describe('kind of the track'),
  codec: text('name of the codec, such as h264 or aac'),
  track_id: text('unique in the stream: v1, a1 …'),
  bitrate: optionalInteger('kbit/s over the last seconds'),
  lang: optionalText('language code (RFC 5646)'),
  size: optionalText('coded size as WxH in pixels'),
  fps: optionalNumber('frames per second, as declared'),
  width: optionalInteger('coded width in pixels'),
  height: optionalInteger('coded height in pixels'),
  pixel_width: optionalInteger('width in square pixels'),
  pixel_height: optionalInteger('height in square pixels'),
  sar_width: optionalInteger('numerator of the sample aspect ratio'),
  sar_height: optionalInteger('denominator of the sample aspect ratio'),
  rotation: optionalInteger('clockwise rotation for display, in degrees; absent without a transformation'),
  display_width: optionalInteger('width after rotation and scaling in square pixels; absent like `rotation`'),
  display_height: optionalInteger('height after rotation and scaling in square pixels; absent like `rotation`'),
  scan: z.enum(['progressive', 'interlaced']).optional().describe('absent for progressive pictures'),
  length_size: optionalInteger('size of the length before each NAL unit, in bytes'),
  profile: optionalText('profile of the codec'),
  level: optionalText('level of the codec'),
  channels: optionalInteger('audio channels'),
  sample_rate: optionalInteger('audio samples per second'),
});
export type TrackInfo = z.infer<typeof trackInfoSchema>;

/** Track that is left out because its codec cannot be carried, or because it is encrypted. */
export const leftOutTrackSchema = z.object({
  content: z.enum(['video', 'audio']).describe('picture or sound'),
  codec: text('name of the codec, for example `MPEG-2 video`'),
  is_encrypted: z.literal(true).optional().describe('present if it is left out because it is encrypted (DRM)'),
});
export type LeftOutTrackInfo = z.infer<typeof leftOutTrackSchema>;

/** Tracks of a stream. `tracks` and `streams` have the same content, because clients read one or the other. */
export const mediaInfoSchema = z.object({
  width: optionalInteger('width of the video in pixels'),
  height: optionalInteger('height of the video in pixels'),
  duration: optionalInteger('length of a file in milliseconds'),
  left_out: z.array(leftOutTrackSchema).optional().describe('tracks of a file that cannot be played'),
  streams: z.array(trackInfoSchema).describe('same as tracks, for clients that expect this name'),
  tracks: z.array(trackInfoSchema).describe('tracks of the stream'),
});
export type MediaInfo = z.infer<typeof mediaInfoSchema>;
