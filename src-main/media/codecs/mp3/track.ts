import type { AudioTrack } from '../../track.ts';
import { trackIdentity } from '../track-options.ts';
import type { TrackOptions } from '../track-options.ts';
import { readMpegAudioHeader } from './header.ts';
import type { MpegAudioHeader } from './header.ts';

/**
 * Track of an MPEG audio stream, layer II or III. It has no decoder configuration. Codec string: `mp4a.40.34` for layer III,
 * `mp4a.40.33` for layer II (object types of ISO 14496-3). hls.js and shaka-player know the former and convert it to what the
 * browser accepts. The media source of Chromium accepts MP3 only as `audio/mpeg`, not inside MP4. For files that it opens
 * directly, Chromium knows `mp4a.6B` and `mp4a.69`, but these players do not.
 */
export function mpegAudioTrack(header: MpegAudioHeader, options: TrackOptions): AudioTrack {
  return {
    ...trackIdentity(options),
    content: 'audio',
    codec: header.layer === 3 ? 'mp3' : 'mp2',
    timescale: header.sampleRate,
    codecString: header.layer === 3 ? 'mp4a.40.34' : 'mp4a.40.33',
    decoderConfig: new Uint8Array(0),
    sampleRate: header.sampleRate,
    channels: header.channels,
    samplesPerFrame: header.samplesPerFrame,
    profile: `MPEG-${header.version} Layer ${header.layer === 3 ? 'III' : 'II'}`,
  };
}

/** Track of a stream from its first frame (RTMP and MP4 have no other configuration); undefined if it has no header. */
export function trackFromMpegAudioFrame(frame: Uint8Array, options: TrackOptions): AudioTrack | undefined {
  const header = readMpegAudioHeader(frame);
  return header && mpegAudioTrack(header, options);
}
