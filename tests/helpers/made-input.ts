import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import type { AudioTrack, Track, VideoTrack } from '../../src-main/media/track.ts';

/** Video track without real parameter sets. `variant` selects a different format of the same track. */
export function madeVideo(id = 'v1', variant = 0, fps?: number): VideoTrack {
  return {
    id,
    content: 'video',
    codec: 'h264',
    timescale: 90_000,
    codecString: 'avc1.64001f',
    decoderConfig: Uint8Array.of(1, 100, 0, 31, 255, 225, 0, 4, 103, 100, 0, variant, 1, 0, 1, 104),
    width: 320 + 2 * variant,
    height: 180,
    sarWidth: 1,
    sarHeight: 1,
    profile: 'High',
    level: '3.1',
    ...(fps === undefined ? {} : { fps }),
  };
}

/** AAC track with a sample rate in Hz. */
export function madeAudio(id = 'a1', sampleRate = 48_000): AudioTrack {
  return {
    id,
    content: 'audio',
    codec: 'aac',
    timescale: sampleRate,
    codecString: 'mp4a.40.2',
    decoderConfig: Uint8Array.of(0x11, 0x90),
    sampleRate,
    channels: 2,
    samplesPerFrame: 1024,
  };
}

/** Generated input. All times in milliseconds. */
export interface MadeInput {
  /** Undefined for audio only. */
  readonly video?: {
    readonly fps: number;
    readonly gopFrames: number;
    /** Number of B-pictures between two other pictures. If it is not 0, decoding and presentation order differ. */
    readonly bFrames: number;
    readonly variant?: number;
    readonly statesFps?: boolean;
    /** Whether each picture carries closed captions. */
    readonly hasCaptions?: boolean;
  };
  readonly audio?: {
    readonly sampleRate: number;
    /** Delay of the audio; negative if early. */
    readonly lateMs: number;
  };
  readonly seconds: number;
  /** Maximum random shift of time stamps, which are also rounded to whole milliseconds. */
  readonly jitterMs?: number;
  /** Decoding time of the first picture in 90 kHz ticks. */
  readonly startTicks?: number;
  /** Ranges without units of one or both tracks; the time stamps continue. */
  readonly silences?: readonly {
    readonly track: 'v1' | 'a1' | 'all';
    readonly fromMs: number;
    readonly toMs: number;
  }[];
  /** Offset added to all time stamps from `atMs` on; negative: back in time. */
  readonly jumps?: readonly { readonly atMs: number; readonly byMs: number }[];
  readonly seed?: number;
  /** Size of each picture in bytes; default 200 to 3200. */
  readonly bytesPerPicture?: number;
}

/** Access unit and its arrival in milliseconds from the start of the input. */
export interface MadeUnit {
  readonly unit: AccessUnit;
  readonly arrivesMs: number;
}

/** Tracks of a generated input. */
export function madeTracks({ video, audio }: MadeInput): Track[] {
  return [
    ...(video ? [madeVideo('v1', video.variant ?? 0, video.statesFps ? video.fps : undefined)] : []),
    ...(audio ? [madeAudio('a1', audio.sampleRate)] : []),
  ];
}

/** Access units of a generated input in order of arrival. */
export function madeUnits(input: MadeInput): MadeUnit[] {
  const random = randomOf(input.seed ?? 1);
  const all = [
    ...(input.video ? pictures(input, input.video, random) : []),
    ...(input.audio ? frames(input, input.audio, random) : []),
  ];
  return all.sort((a, b) => a.arrivesMs - b.arrivesMs);
}

function pictures(input: MadeInput, video: NonNullable<MadeInput['video']>, random: () => number): MadeUnit[] {
  const units: MadeUnit[] = [];
  const frameMs = 1000 / video.fps;
  const count = Math.floor((input.seconds * 1000) / frameMs);
  let last = -Infinity;
  for (let index = 0; index < count; index++) {
    const atMs = index * frameMs;
    if (isSilent(input, 'v1', atMs)) continue;
    const inGop = index % video.gopFrames;
    // Number of frames from decoding to presentation: 1 for key pictures, `bFrames + 1` for anchors, 0 for B-pictures,
    // which follow their anchor.
    const step =
      video.bFrames === 0 ? 0 : inGop === 0 ? 1 : (inGop - 1) % (video.bFrames + 1) === 0 ? video.bFrames + 1 : 0;
    const dtsMs = Math.max(last + 1, stamp(input, atMs, random));
    last = dtsMs;
    units.push({
      arrivesMs: atMs,
      unit: madeUnit(
        'v1',
        dtsMs,
        step * frameMs,
        inGop === 0,
        input.bytesPerPicture ?? 200 + Math.floor(random() * 3000),
        input,
      ),
    });
  }
  return units;
}

function frames(input: MadeInput, audio: NonNullable<MadeInput['audio']>, random: () => number): MadeUnit[] {
  const units: MadeUnit[] = [];
  const frameMs = (1024 * 1000) / audio.sampleRate;
  const count = Math.floor((input.seconds * 1000) / frameMs);
  for (let index = 0; index < count; index++) {
    const atMs = index * frameMs;
    if (isSilent(input, 'a1', atMs)) continue;
    // Without a delay, audio is interleaved with the pictures by time.
    units.push({
      arrivesMs: Math.max(0, atMs + audio.lateMs),
      unit: madeUnit('a1', stamp(input, atMs, random), 0, true, 100 + Math.floor(random() * 200), input),
    });
  }
  return units;
}

function stamp(input: MadeInput, atMs: number, random: () => number): number {
  const jump = (input.jumps ?? []).reduce((sum, { atMs: from, byMs }) => (atMs >= from ? sum + byMs : sum), 0);
  if (input.jitterMs === undefined) return atMs + jump;
  return Math.round(atMs + jump + (random() - 0.5) * 2 * input.jitterMs);
}

function madeUnit(
  trackId: string,
  dtsMs: number,
  compositionMs: number,
  isRandomAccess: boolean,
  size: number,
  input: MadeInput,
): AccessUnit {
  const dtsTicks = Math.round(dtsMs * 90) + (input.startTicks ?? 0);
  const data = Buffer.alloc(size, dtsTicks & 0xff);
  // The first bytes identify the track of the unit, so that mixed-up bytes are detected.
  if (trackId === 'v1') {
    data.writeUInt32BE(size - 4);
    if (input.video?.hasCaptions === true) data.write('GA94', 8);
  } else data.write('a1');
  return { trackId, dtsTicks, ptsTicks: dtsTicks + Math.round(compositionMs * 90), isRandomAccess, data };
}

function isSilent(input: MadeInput, trackId: 'v1' | 'a1', atMs: number): boolean {
  return (input.silences ?? []).some(
    ({ track, fromMs, toMs }) => (track === 'all' || track === trackId) && atMs >= fromMs && atMs < toMs,
  );
}

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}
