import { trackFromAudioSpecificConfig } from '../../media/codecs/aac/track.ts';
import { trackFromAvcC } from '../../media/codecs/h264/track.ts';
import type { Track } from '../../media/track.ts';
import { type TestPictureLoop, UNIT_FIELDS, UNIT_FLAGS } from './test-picture-source.ts';

/** Track ids of a test picture. */
const VIDEO_ID = 'v1';
const AUDIO_ID = 'a1';

/** Access unit of a loop, with times from the start of the loop. */
interface LoopUnit {
  readonly trackId: string;
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly isRandomAccess: boolean;
  readonly data: Uint8Array;
}

/** Loop prepared in this thread: its tracks and access units. Shared by all inputs that play it. */
export interface PreparedLoop {
  readonly tracks: readonly Track[];
  readonly units: readonly LoopUnit[];
  readonly loopTicks: number;
  /** Indexes of the key frames in `units`. */
  readonly keyFrames: readonly number[];
}

/** Reads the index of a loop. Undefined if it is inconsistent. */
export function prepareLoop(loop: TestPictureLoop): PreparedLoop | undefined {
  const video = trackFromAvcC(loop.video.decoderConfig, { trackId: VIDEO_ID });
  const audio = trackFromAudioSpecificConfig(loop.audio.decoderConfig, { trackId: AUDIO_ID });
  if (!video || !audio || loop.index.byteLength < loop.units * UNIT_FIELDS.count * 4) return undefined;

  const numbers = new Int32Array(loop.index);
  const units: LoopUnit[] = [];
  const keyFrames: number[] = [];
  for (let i = 0; i < loop.units; i++) {
    const at = i * UNIT_FIELDS.count;
    const field = (name: Exclude<keyof typeof UNIT_FIELDS, 'count'>): number => numbers[at + UNIT_FIELDS[name]] ?? 0;
    const flags = field('flags');
    const isAudio = (flags & UNIT_FLAGS.isAudio) !== 0;
    const isRandomAccess = (flags & UNIT_FLAGS.isRandomAccess) !== 0;
    if (field('offset') < 0 || field('length') < 0 || field('offset') + field('length') > loop.bytes.byteLength)
      return undefined;
    if (isRandomAccess && !isAudio) keyFrames.push(i);
    units.push({
      trackId: isAudio ? AUDIO_ID : VIDEO_ID,
      dtsTicks: field('dtsTicks'),
      ptsTicks: field('ptsTicks'),
      isRandomAccess,
      data: new Uint8Array(loop.bytes, field('offset'), field('length')),
    });
  }
  return keyFrames.length > 0 && loop.loopTicks > 0
    ? { tracks: [video, audio], units, loopTicks: loop.loopTicks, keyFrames }
    : undefined;
}
