import type { ClipEdit, ClipPicture, ClipSound } from './clip-target.ts';

/** Granularity of cutting and muting sound, in samples. */
const CUT_SAMPLES = 64;
/** Number of samples in a frame of AAC-LC. */
const AAC_SAMPLES = 1024;
/** Number of lines from which on pictures have the colours of BT.709. */
export const HD_LINES = 720;

/** Loudness of sound (EBU R 128). */
export interface Loudness {
  /** Integrated loudness. */
  readonly lufs: number;
  /** True peak, in dBFS. */
  readonly peakDb: number;
}

/** Loudness below which sound counts as silence, in LUFS. */
export const SILENCE_LUFS = -69;
/** Maximum true peak after levelling, in dBFS (EBU R 128). */
const MAX_PEAK_DB = -1;
/** Limiter threshold: the maximum peak minus the overshoot of encoding, in dBFS. */
const LIMIT_DB = -1.5;
const LIMITER_RATE = 192_000;

/**
 * FFmpeg filter chain from decoded pictures to pictures of a clip: constant frame rate, progressive or interlaced as the target,
 * in the size of the target, with black bars if the aspect ratio differs.
 */
export function pictureChain(target: ClipPicture, edits: readonly ClipEdit[], leadInMs: number): string {
  const { width, height, sarWidth, sarHeight, fpsNum, fpsDen } = target;
  const sar = `${sarWidth}/${sarHeight}`;
  // Two frames become one, with lines of both.
  const fields = target.isInterlaced === true ? 2 : 1;
  // Area of the source in the target, in pixels of the target.
  const inner = [
    `w=trunc(min(${width}\\,${height}*dar/(${sar}))/2)*2`,
    `h=trunc(min(${height}\\,${width}*(${sar})/dar)/2)*2`,
  ];
  return [
    `bwdif=mode=${fields === 2 ? 'send_field' : 'send_frame'}:deint=interlaced`,
    ...edits.flatMap((edit) => (edit.kind === 'overlay' ? [box(edit)] : [])),
    `fps=fps=${fpsNum * fields}/${fpsDen}:start_time=0`,
    ...cuts('select', edits),
    `setpts=N*${fpsDen}/${fpsNum * fields}/TB`,
    `scale=${inner.join(':')}:out_color_matrix=${height >= HD_LINES ? 'bt709' : 'smpte170m'}:out_range=tv`,
    `pad=w=${width}:h=${height}:x=(ow-iw)/2:y=(oh-ih)/2`,
    `setsar=${sar}`,
    `format=${target.profile === 'main10' ? 'yuv420p10' : 'yuv420p'}`,
    ...(fields === 2 ? ['interlace=scan=tff:lowpass=off'] : []),
    ...(leadInMs > 0 ? [`tpad=start_duration=${leadInMs / 1000}:color=black`] : []),
  ].join(',');
}

/**
 * FFmpeg filter chain for the sound of a clip. It continues in silence after the end of the source.
 *
 * @param level measured loudness, and target loudness in LUFS
 */
export function soundChain(
  sound: ClipSound,
  edits: readonly ClipEdit[],
  leadInMs: number,
  level?: { readonly from: Loudness; readonly toLufs: number },
): string {
  return [
    ...edited(sound, edits),
    ...(level ? [...levelled(level.from, level.toLufs), `aresample=${sound.sampleRate}`, 'asetpts=N/SR/TB'] : []),
    ...(leadInMs > 0 ? [`adelay=delays=${leadInMs}:all=1`] : []),
    'apad',
    soundFormat(sound),
  ].join(',');
}

/** FFmpeg filter chain that measures the output of `soundChain`. */
export function measuringChain(sound: ClipSound, edits: readonly ClipEdit[]): string {
  return [...edited(sound, edits), `aformat=channel_layouts=${layout(sound)}`, MEASURE].join(',');
}

/** Measures sound; the metadata of each frame contains the loudness of all frames up to it. */
const MEASURE = 'ebur128=peak=true:metadata=1:framelog=quiet';

/** Levels sound by one gain. Only peaks that would be too high are limited, so that the mix stays unchanged. */
function levelled({ lufs, peakDb }: Loudness, toLufs: number): string[] {
  const gainDb = toLufs - lufs;
  const gain = `volume=volume=${gainDb.toFixed(2)}dB`;
  if (peakDb + gainDb <= MAX_PEAK_DB) return [gain];
  const limit = (10 ** (LIMIT_DB / 20)).toFixed(4);
  // The wave may be higher between samples than at samples, so it is limited at a higher sample rate.
  return [gain, `aresample=${LIMITER_RATE}`, `alimiter=limit=${limit}:attack=5:release=50:level=0:latency=1`];
}

function edited({ sampleRate }: ClipSound, edits: readonly ClipEdit[]): string[] {
  return [
    `aresample=${sampleRate}:async=1:first_pts=0`,
    `asetnsamples=n=${CUT_SAMPLES}:p=0`,
    ...edits.flatMap((edit) => (edit.kind === 'mute' ? [mute(edit)] : [])),
    ...cuts('aselect', edits),
    'asetpts=N/SR/TB',
  ];
}

/** Silence in the format of a clip. */
export function silence(sound: ClipSound): string {
  return `anullsrc=r=${sound.sampleRate}:cl=${layout(sound)},${soundFormat(sound)}`;
}

/** Black pictures in the format of a clip. */
export function black(target: ClipPicture): string {
  const { width, height, sarWidth, sarHeight, fpsNum, fpsDen, profile } = target;
  const format = profile === 'main10' ? 'yuv420p10' : 'yuv420p';
  return `color=c=black:s=${width}x${height}:r=${fpsNum}/${fpsDen},setsar=${sarWidth}/${sarHeight},format=${format}`;
}

/** Extends a filter chain without end: the last picture repeats. */
export function endless(chain: string): string {
  return `${chain},tpad=stop=-1:stop_mode=clone`;
}

function soundFormat({ sampleRate, channels }: ClipSound): string {
  return `aformat=sample_fmts=fltp:sample_rates=${sampleRate}:channel_layouts=${layout({ channels })},asetnsamples=n=${AAC_SAMPLES}`;
}

function layout({ channels }: Pick<ClipSound, 'channels'>): string {
  return { 1: 'mono', 2: 'stereo', 6: '5.1' }[channels];
}

function box({ x1, y1, x2, y2 }: ClipEdit & { readonly kind: 'overlay' }): string {
  return `drawbox=x=${x1}:y=${y1}:w=${x2 - x1}:h=${y2 - y1}:color=black:t=fill`;
}

function mute({ startMs, stopMs }: ClipEdit & { readonly kind: 'mute' }): string {
  const from = (startMs ?? 0) / 1000;
  return `volume=volume=0:enable=${stopMs === undefined ? `gte(t\\,${from})` : within(from, stopMs / 1000)}`;
}

/** Removes the cut times. */
function cuts(filter: 'select' | 'aselect', edits: readonly ClipEdit[]): string[] {
  const times = edits.flatMap((edit) =>
    edit.kind === 'crop' ? [within(edit.startMs / 1000, edit.stopMs / 1000)] : [],
  );
  return times.length > 0 ? [`${filter}=not(${times.join('+')})`] : [];
}

function within(from: number, to: number): string {
  return `gte(t\\,${from})*lt(t\\,${to})`;
}
