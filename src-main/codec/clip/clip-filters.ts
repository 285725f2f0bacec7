import type { ClipEdit, ClipPicture, ClipSound } from './clip-target.ts';

/** Samples between two places at which sound can be cut or muted. */
const CUT_SAMPLES = 64;
/** Samples of a frame of AAC-LC. */
const AAC_SAMPLES = 1024;
/** Lines from which on pictures have the colours of BT.709. */
const HD_LINES = 720;

/** The chain of FFmpeg filters from decoded pictures to those of a clip: frames of one rate, none interlaced, in the size of the target, with black bars where the shape differs. */
export function pictureChain(target: ClipPicture, edits: readonly ClipEdit[], leadInMs: number): string {
  const { width, height, sarWidth, sarHeight, fpsNum, fpsDen } = target;
  const sar = `${sarWidth}/${sarHeight}`;
  // What the source's shape takes of the target, in pixels of the target.
  const inner = [
    `w=trunc(min(${width}\\,${height}*dar/(${sar}))/2)*2`,
    `h=trunc(min(${height}\\,${width}*(${sar})/dar)/2)*2`,
  ];
  return [
    'bwdif=mode=send_frame:deint=interlaced',
    ...edits.flatMap((edit) => (edit.kind === 'overlay' ? [box(edit)] : [])),
    `fps=fps=${fpsNum}/${fpsDen}:start_time=0`,
    ...cuts('select', edits),
    `setpts=N*${fpsDen}/${fpsNum}/TB`,
    `scale=${inner.join(':')}:out_color_matrix=${height >= HD_LINES ? 'bt709' : 'smpte170m'}:out_range=tv`,
    `pad=w=${width}:h=${height}:x=(ow-iw)/2:y=(oh-ih)/2`,
    `setsar=${sar}`,
    'format=yuv420p',
    ...(leadInMs > 0 ? [`tpad=start_duration=${leadInMs / 1000}:color=black`] : []),
  ].join(',');
}

/** The same of sound. It goes on in silence where the source ends. */
export function soundChain({ sampleRate, channels }: ClipSound, edits: readonly ClipEdit[], leadInMs: number): string {
  return [
    `aresample=${sampleRate}:async=1:first_pts=0`,
    `asetnsamples=n=${CUT_SAMPLES}:p=0`,
    ...edits.flatMap((edit) => (edit.kind === 'mute' ? [mute(edit)] : [])),
    ...cuts('aselect', edits),
    'asetpts=N/SR/TB',
    ...(leadInMs > 0 ? [`adelay=delays=${leadInMs}:all=1`] : []),
    'apad',
    soundFormat({ sampleRate, channels }),
  ].join(',');
}

/** Silence in the format of a clip. */
export function silence(sound: ClipSound): string {
  return `anullsrc=r=${sound.sampleRate}:cl=${layout(sound)},${soundFormat(sound)}`;
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

/** Leaves out the times that are cut away. */
function cuts(filter: 'select' | 'aselect', edits: readonly ClipEdit[]): string[] {
  const times = edits.flatMap((edit) =>
    edit.kind === 'crop' ? [within(edit.startMs / 1000, edit.stopMs / 1000)] : [],
  );
  return times.length > 0 ? [`${filter}=not(${times.join('+')})`] : [];
}

function within(from: number, to: number): string {
  return `gte(t\\,${from})*lt(t\\,${to})`;
}
