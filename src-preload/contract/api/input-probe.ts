import { z } from 'zod';
import { text, textOrNull } from './api-parts.ts';
import { leftOutTrackSchema, mediaInfoSchema } from './media-info.ts';
import { problemSchema } from './streams.ts';

/** Content of an input that was opened for some seconds. */
export const inputProbeSchema = z.object({
  protocol: text('scheme of the address, such as `rtmp` or `udp`'),
  media_info: mediaInfoSchema.nullable().describe('tracks that a stream carries; null without any'),
  left_out: z.array(leftOutTrackSchema).describe('tracks that a stream cannot carry'),
  problems: z
    .array(problemSchema)
    .describe(
      'faults of the input, newest first: the reasons why tracks are left out, and others, as in the state of a stream',
    ),
  picture: textOrNull('newest key frame as JPEG, in base64; null without a picture'),
});
export type InputProbe = z.infer<typeof inputProbeSchema>;
