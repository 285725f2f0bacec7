import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLoopFile, type TestPictureLoop } from '../../src-main/codec/test-picture/loop-file.ts';
import { testPictureKey } from '../../src-main/codec/test-picture-cache.ts';
import type { TestPictureOptions } from '../../src-main/codec/test-picture/test-picture-options.ts';
import { prepareLoop } from '../../src-main/ingest/fake/prepared-loop.ts';
import { writeAdtsHeader } from '../../src-main/media/codecs/aac/adts.ts';
import { readAvcC } from '../../src-main/media/codecs/nal/avcc.ts';
import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import type { AudioTrack, VideoTrack } from '../../src-main/media/track.ts';

/**
 * Options of a small picture that is encoded in less than a second: 160×90, 25 frames and one key frame per second, no
 * B-pictures, 16 s long.
 */
export const SMALL_PICTURE: TestPictureOptions = {
  width: 160,
  height: 90,
  fpsNumerator: 25,
  fpsDenominator: 1,
  gopFrames: 25,
  bitrateKbps: 100,
  bFrames: 0,
};

/** Real H.264 and AAC for tests. Picture and tone are those of `fake://`: flash and beep at each full second. */
export interface TestMedia {
  readonly video: VideoTrack;
  readonly audio: AudioTrack;
  /** Duration in 90 kHz ticks after which the media repeats, exact for both tracks. */
  readonly loopTicks: number;
  /**
   * Access units of both tracks in decoding order, for a number of seconds; the media repeats. The first unit is at
   * `startTicks`.
   */
  units(seconds: number, startTicks?: number): Generator<AccessUnit>;
}

/** Media with these options, encoded once per machine and then read from a file in the temporary folder. */
export function testMedia(options: Partial<TestPictureOptions> = {}): TestMedia {
  const prepared = prepareLoop(testLoop(options));
  const [video, audio] = prepared?.tracks ?? [];
  if (!prepared || video?.content !== 'video' || audio?.content !== 'audio')
    throw new Error('the test media is damaged');
  return {
    video,
    audio,
    loopTicks: prepared.loopTicks,
    *units(seconds, startTicks = 0) {
      const first = prepared.units[0]?.dtsTicks ?? 0;
      for (let passTicks = 0; ; passTicks += prepared.loopTicks) {
        for (const unit of prepared.units) {
          if (passTicks + unit.dtsTicks - first >= seconds * 90_000) return;
          const shift = startTicks - first + passTicks;
          yield { ...unit, dtsTicks: unit.dtsTicks + shift, ptsTicks: unit.ptsTicks + shift };
        }
      }
    },
  };
}

/** Loop that `testMedia` reads, as created by a codec process. */
export function testLoop(options: Partial<TestPictureOptions> = {}): TestPictureLoop {
  const all = { ...SMALL_PICTURE, ...options };
  const path = join(tmpdir(), 'airdesk-test-media', `${testPictureKey(all)}.loop`);
  let loop = read(path);
  if (!loop) {
    execFileSync(
      process.execPath,
      [fileURLToPath(new URL('./make-test-loop.ts', import.meta.url)), JSON.stringify(all), path],
      { stdio: 'pipe' },
    );
    loop = read(path);
  }
  if (!loop) throw new Error(`no test media at ${path}`);
  return loop;
}

/**
 * H.264 access units as an Annex B stream with parameter sets before each key frame: the input format `.h264` of
 * ffmpeg.
 */
export function toAnnexB(video: VideoTrack, units: Iterable<AccessUnit>): Buffer {
  const avcC = readAvcC(video.decoderConfig);
  const parameterSets = [...(avcC?.sps ?? []), ...(avcC?.pps ?? [])].flatMap((unit) => [START_CODE, unit]);
  const out: Uint8Array[] = [];
  for (const unit of units) {
    if (unit.trackId !== video.id) continue;
    if (unit.isRandomAccess) out.push(...parameterSets);
    const bytes = Buffer.from(unit.data);
    for (let at = 0; at < bytes.length;) {
      const end = at + 4 + bytes.readUInt32BE(at);
      out.push(START_CODE, bytes.subarray(at + 4, end));
      at = end;
    }
  }
  return Buffer.concat(out);
}

/** AAC access units as an ADTS stream: the input format `.aac` of ffmpeg. */
export function toAdts(audio: AudioTrack, units: Iterable<AccessUnit>): Buffer {
  const out: Uint8Array[] = [];
  for (const unit of units) {
    if (unit.trackId !== audio.id) continue;
    const header = new Uint8Array(7);
    writeAdtsHeader(header, 0, audio, unit.data.length);
    out.push(header, Uint8Array.from(unit.data));
  }
  return Buffer.concat(out);
}

const START_CODE = Uint8Array.of(0, 0, 0, 1);

function read(path: string): TestPictureLoop | undefined {
  try {
    return readLoopFile(readFileSync(path));
  } catch {
    return undefined;
  }
}
