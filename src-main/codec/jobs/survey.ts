import { setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { ClipSource, type SourceTrack } from '../clip/clip-source.ts';
import { encode, scale } from './picture.ts';

/** File for an overview. */
export interface SurveyInput {
  /** Absolute path. */
  readonly path: string;
  /** Number of pictures at even distances. */
  readonly pictures: number;
  /** Number of equal time ranges for peaks. */
  readonly peaks: number;
}

/** An overview of a file. */
export interface SurveyOutput {
  /** Duration of the file; 0 if it is unknown, and then there is at most one picture, and there are no peaks. */
  readonly durationMs: number;
  /**
   * JPEG pictures, at most 160 × 90; an empty item for a picture that was not decoded in time. Empty if the file has no
   * pictures.
   */
  readonly pictures: readonly Uint8Array[];
  /**
   * Largest absolute sample of each time range, 0 to 1; -1 for a range that was not reached in time. Empty if the file has no
   * sound.
   */
  readonly peaks: readonly number[];
}

/** Nice value of the process, so that live streams have priority. */
const NICE = 15;
const WIDTH = 160;
const HEIGHT = 90;
/** Maximum time for the pictures, and for the peaks, in milliseconds: the desk waits for the result. */
const PICTURES_MS = 4000;
const PEAKS_MS = 4000;
/** Maximum length of a file whose pictures are found by reading all of it, in seconds. */
const READ_S = 60;
const NO_PICTURE = new Uint8Array();
/** Sample rate for the peaks, in Hz. */
const RATE = 8000;
const QUALITY = 6;

const SMALL = [
  `scale=w=trunc(min(${WIDTH}\\,${HEIGHT}*dar)/2)*2:h=trunc(min(${HEIGHT}\\,${WIDTH}/dar)/2)*2`,
  'setsar=1,format=yuv420p',
].join(',');

/** Creates an overview of a file. The process runs no other job. Throws `clip_not_made` if the file cannot be read. */
export async function survey({ path, pictures, peaks }: SurveyInput): Promise<SurveyOutput> {
  setPriority(NICE);
  const source = new ClipSource(path, 1, [AVMEDIA_TYPE_VIDEO]);
  const { durationS } = source;
  try {
    return {
      durationMs: Math.round(durationS * 1000),
      pictures: await smallPictures(source, durationS > 0 ? pictures : 1),
      peaks: durationS > 0 ? await peaksOf(path, durationS, peaks) : [],
    };
  } finally {
    source.close();
  }
}

async function smallPictures(source: ClipSource, count: number): Promise<Uint8Array[]> {
  const track = source.track(AVMEDIA_TYPE_VIDEO);
  if (!track) return [];
  track.chain = SMALL;
  const found: Uint8Array[] = [];
  // A seek goes back to a key frame, which may be the same one for all pictures of a short file.
  const isRead = source.durationS <= READ_S;
  const endMs = performance.now() + PICTURES_MS;
  for (let at = 0; at < count; at++) {
    const timeS = (source.durationS * at) / count;
    if (at > 0 && !isRead) source.seek(timeS);
    const frame = pictureAt(source, track, timeS, isRead ? endMs : performance.now() + PICTURES_MS / count);
    if (frame) {
      const full = scale(frame, frame.width, frame.height);
      found.push(encode(full, QUALITY));
      full.free();
      frame.free();
    } else found.push(NO_PICTURE);
    // Lets the event loop notice that the owner has disconnected.
    await setImmediate();
  }
  return found.some(({ length }) => length > 0) ? found : [];
}

/** Picture at a time, or the last one of the track; undefined if it was not decoded within the time limit. */
function pictureAt(source: ClipSource, track: SourceTrack, timeS: number, endMs: number): Frame | undefined {
  let last = track.next();
  const isReached = (): boolean => last !== undefined && track.atS >= timeS;
  for (let isRunning = true; isRunning && !isReached();) {
    if (performance.now() >= endMs) {
      last?.free();
      return undefined;
    }
    isRunning = source.read();
    for (let frame = track.next(); frame; frame = track.next()) {
      last?.free();
      last = frame;
    }
  }
  return last;
}

async function peaksOf(path: string, durationS: number, count: number): Promise<number[]> {
  const source = new ClipSource(path, 1, [AVMEDIA_TYPE_AUDIO]);
  try {
    const track = source.track(AVMEDIA_TYPE_AUDIO);
    if (!track) return [];
    track.chain = `aresample=${RATE}:async=1:first_pts=0,aformat=sample_fmts=flt:channel_layouts=stereo`;
    const peaks = Array.from({ length: count }, () => -1);
    const perPeak = (durationS * RATE) / count;
    const endMs = performance.now() + PEAKS_MS;
    let sample = 0;
    for (let isRunning = true; isRunning && performance.now() < endMs;) {
      isRunning = source.read();
      for (let frame = track.next(); frame; frame = track.next()) {
        const [plane] = frame.extendedData ?? [];
        if (plane) addPeaks(peaks, plane, sample, frame.nbSamples, perPeak);
        sample += frame.nbSamples;
        frame.free();
      }
      await setImmediate();
    }
    return track.hasFrames ? peaks : [];
  } finally {
    source.close();
  }
}

/**
 * Records the samples of a frame.
 * @param plane left and right samples, interleaved
 */
function addPeaks(peaks: number[], plane: Uint8Array, from: number, count: number, perPeak: number): void {
  const samples = new Float32Array(plane.buffer.slice(plane.byteOffset, plane.byteOffset + count * 8));
  for (let at = 0; at < count; at++) {
    const rangeIndex = Math.min(peaks.length - 1, Math.floor((from + at) / perPeak));
    const size = Math.max(Math.abs(samples[2 * at] ?? 0), Math.abs(samples[2 * at + 1] ?? 0));
    if (size > (peaks[rangeIndex] ?? 0)) peaks[rangeIndex] = Math.min(1, size);
    else if (peaks[rangeIndex] === -1) peaks[rangeIndex] = 0;
  }
}
