import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MpegTsWriter } from '../../src-main/media/containers/mpegts/writer.ts';
import type { LiveSegment } from './live-playlist.ts';
import { testMedia } from './test-media.ts';

/** Content of transport stream segments. */
export interface TsSegmentsOptions {
  readonly count: number;
  /** Duration of a segment in whole seconds, because the test picture has one key frame per second. */
  readonly seconds: number;
  readonly firstTicks: number;
  /** Sections in the media, and the media time in seconds from the start before which each section is sent. */
  readonly sections?: readonly { readonly atSeconds: number; readonly section: Uint8Array }[];
  /** Prefix of the file names; default: `s`. */
  readonly name?: string;
}

/** Writes the test picture as transport stream segments into a folder. */
export function writeTsSegments(folder: string, options: TsSegmentsOptions): LiveSegment[] {
  const { count, seconds, firstTicks, sections = [], name = 's' } = options;
  const media = testMedia();
  const segments: LiveSegment[] = [];
  const units = [...media.units(count * seconds, firstTicks)];
  const waiting = [...sections];
  for (let index = 0; index < count; index++) {
    const writer = new MpegTsWriter([media.video, media.audio], { hasSplices: true });
    const [from, to] = [index, index + 1].map((edge) => firstTicks + edge * seconds * 90_000);
    for (const unit of units) {
      if (unit.dtsTicks < (from ?? 0) || unit.dtsTicks >= (to ?? 0)) continue;
      while (waiting[0] && unit.dtsTicks >= firstTicks + waiting[0].atSeconds * 90_000)
        writer.splice(waiting.shift()?.section ?? new Uint8Array());
      writer.accessUnit(unit);
    }
    writeFileSync(join(folder, `${name}${index}.ts`), writer.take());
    segments.push({ uri: `${name}${index}.ts`, seconds });
  }
  return segments;
}
