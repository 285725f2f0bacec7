import { splitAnnexB } from '../../src-main/media/codecs/nal/annexb.ts';
import { adtsFrameBytes } from '../../src-main/media/codecs/aac/adts.ts';
import { ffmpeg, probePackets } from './ffmpeg-media.ts';

/** Codec of the pictures of a coded source. */
export type PictureCodec = 'h264' | 'h265';

/** One coded picture: NAL units without start codes, and times in 90 kHz ticks from the start of the source. */
export interface CodedPicture {
  readonly delimiter: Uint8Array;
  readonly sets: readonly Uint8Array[];
  /** Slices and SEI messages, in order. */
  readonly rest: readonly Uint8Array[];
  readonly isKey: boolean;
  readonly ptsTicks: number;
  readonly dtsTicks: number;
}

/** One AAC frame with its ADTS header. */
export interface CodedSound {
  readonly adts: Uint8Array;
  readonly ptsTicks: number;
}

/** Number of closed GOPs of one second in each variant of a source. */
export const SOURCE_GOPS = 5;
const FPS = 25;

/**
 * Encodings of one picture: the first three differ only in picture parameter sets, the fourth in the SPS, the last in
 * size; the last H.265 variant is interlaced.
 */
const VARIANTS: Readonly<Record<PictureCodec, readonly { readonly size: string; readonly params: string }[]>> = {
  h264: [
    { size: '160x90', params: 'ref=3:cabac=1' },
    { size: '160x90', params: 'ref=3:cabac=0' },
    { size: '160x90', params: 'ref=3:cabac=1:chroma-qp-offset=4' },
    { size: '160x90', params: 'ref=2:cabac=1' },
    { size: '128x72', params: 'ref=3:cabac=1' },
  ],
  h265: [
    { size: '160x96', params: 'sao=0' },
    { size: '160x96', params: 'sao=0:cbqpoffs=3' },
    { size: '160x96', params: 'sao=0:crqpoffs=-4' },
    { size: '160x96', params: 'sao=1' },
    { size: '128x64', params: 'sao=0:interlace=tff' },
  ],
};

/** Number of variants, and of those that differ only in picture parameter sets. */
export const VARIANT_COUNT = 5;
export const SAME_SPS_COUNT = 3;

const CODED = new Map<string, readonly CodedPicture[]>();

/** Pictures of a variant: 25 per second, a closed GOP per second, three consecutive B-pictures. */
function picturesOf(codec: PictureCodec, variant: number): readonly CodedPicture[] {
  const key = `${codec} ${variant}`;
  const cached = CODED.get(key);
  if (cached) return cached;
  const { size, params } = VARIANTS[codec][variant]!;
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${FPS}:duration=${SOURCE_GOPS}`];
  const common = `keyint=${FPS}:min-keyint=${FPS}:scenecut=0:bframes=3:b-adapt=0:open-gop=0:aud=1:${params}`;
  const encoder =
    codec === 'h264'
      ? ['libx264', '-x264-params', `threads=1:slices=2:b-pyramid=normal:weightp=0:${common}`]
      : ['libx265', '-x265-params', `pools=1:frame-threads=1:log-level=error:repeat-headers=1:${common}`];
  const args = [...source, '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:v', ...encoder];
  const times = probePackets(ffmpeg([...args, '-f', 'mpegts']));
  const firstTicks = times[0]!.dtsTicks;
  const groups: Uint8Array[][] = [];
  for (const unit of splitAnnexB(ffmpeg([...args, '-f', codec === 'h264' ? 'h264' : 'hevc']))) {
    if (typeOf(codec, unit) === (codec === 'h264' ? 9 : 35)) groups.push([]);
    groups.at(-1)?.push(unit);
  }
  if (groups.length !== times.length || groups.length !== FPS * SOURCE_GOPS)
    throw new Error('pictures and times differ');
  const pictures = groups.map((units, index): CodedPicture => {
    const { ptsTicks, dtsTicks, isKey } = times[index]!;
    return {
      delimiter: units[0]!,
      sets: units.filter((unit) => isSet(codec, unit)),
      rest: units.slice(1).filter((unit) => !isSet(codec, unit)),
      isKey,
      ptsTicks: ptsTicks - firstTicks,
      dtsTicks: dtsTicks - firstTicks,
    };
  });
  CODED.set(key, pictures);
  return pictures;
}

/**
 * Pictures of a source with a given variant for each GOP. Pictures of one variant always have the same parameter sets.
 */
export function codedPictures(codec: PictureCodec, variants: readonly number[]): CodedPicture[] {
  return variants.flatMap((variant, gop) => picturesOf(codec, variant).slice(gop * FPS, (gop + 1) * FPS));
}

/** AAC at 48 kHz without noise substitution, which decoders replace by random values. */
export function codedSound(seconds: number, startTicks: number): CodedSound[] {
  const tone = `aevalsrc='0.3*sin(880*PI*t)+0.2*sin(3000*t*t)':s=48000:d=${SOURCE_GOPS}`;
  const bytes = ffmpeg(['-f', 'lavfi', '-i', tone, '-c:a', 'aac', '-aac_pns', '0', '-b:a', '64k', '-f', 'adts']);
  const frames: CodedSound[] = [];
  for (let at = 0; at < bytes.length && frames.length < (seconds * 48_000) / 1024;) {
    const end = at + adtsFrameBytes(bytes, at);
    frames.push({ adts: bytes.subarray(at, end), ptsTicks: startTicks + frames.length * 1920 });
    at = end;
  }
  return frames;
}

function typeOf(codec: PictureCodec, unit: Uint8Array): number {
  return codec === 'h264' ? unit[0]! & 0x1f : (unit[0]! >> 1) & 0x3f;
}

function isSet(codec: PictureCodec, unit: Uint8Array): boolean {
  const type = typeOf(codec, unit);
  return codec === 'h264' ? type === 7 || type === 8 : type >= 32 && type <= 34;
}
