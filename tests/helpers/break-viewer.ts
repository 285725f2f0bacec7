import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMpd } from '../../src-main/packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../../src-main/packaging/hls/media-playlist.ts';
import { renderTsPlaylist } from '../../src-main/packaging/hls/ts-playlist.ts';
import { muxTsSegment } from '../../src-main/packaging/mpegts/segment.ts';
import { Programme } from '../../src-main/packaging/programme.ts';
import { readMedia } from '../../src-main/segment/media-bytes.ts';
import type { ChangingWindow } from '../../src-main/segment/segment-window.ts';
import { checkUpdate, readStrictMpd, type ReadMpd } from './strict-mpd.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from './strict-playlist.ts';

/** A picture or sound as a player decodes it: which one it is, and its time in milliseconds. */
export interface ShownUnit {
  readonly digest: string;
  readonly ms: number;
}

interface PlacedSegment {
  readonly startMs: number;
  readonly durationMs: number;
  readonly mediaMs: number;
}

/** A viewer who loads what playlists list, each segment once, and keeps it as a recording that ffmpeg plays. */
export class BreakViewer {
  readonly #window: ChangingWindow;
  readonly #folder: string;
  readonly #lists = new Map<string, { before: ReadPlaylist | undefined; next: number; text: string[]; map: string }>();
  #mpd: ReadMpd | undefined;
  /** Addresses of the segments of pictures in the order of the manifest, with their times in milliseconds on its timeline. */
  readonly dash = new Map<string, { readonly fromMs: number; readonly toMs: number }>();
  /** Where each segment stands: its number, start and length on the timeline of the viewer, and the time of its media, in milliseconds. */
  readonly placed = {
    v1: new Map<number, PlacedSegment>(),
    a1: new Map<number, PlacedSegment>(),
  };
  /** Segments whose parts were listed. */
  segmentsWithParts = 0;

  constructor(window: ChangingWindow, folder: string) {
    this.#window = window;
    this.#folder = folder;
    mkdirSync(folder);
  }

  /** Loads everything that is new. */
  async look(): Promise<void> {
    for (const trackId of ['v1', 'a1'] as const) await this.#lookAt(trackId);
    await this.#lookAtTs();
    this.#lookAtMpd();
  }

  /** What ffmpeg decodes of a recording: `v1`, `a1`, or `ts`. */
  shown(recording: 'v1' | 'a1' | 'ts', content: Content): ShownUnit[] {
    return unitsOf(
      this.playlist(recording),
      content,
      recording === 'ts' && content === 'a' ? ['-bsf:a', 'aac_adtstoasc'] : [],
    );
  }

  /** The playlist file of a recording. */
  playlist(recording: 'v1' | 'a1' | 'ts'): string {
    const file = join(this.#folder, `${recording}.m3u8`);
    writeFileSync(file, [...(this.#lists.get(recording)?.text ?? []), '#EXT-X-ENDLIST', ''].join('\n'));
    return file;
  }

  async #lookAt(trackId: 'v1' | 'a1'): Promise<void> {
    const text = renderMediaPlaylist(this.#window, { trackId, marks: 'rfc8216' });
    if (text === undefined) return;
    const known = this.#list(trackId, 9);
    const playlist = readStrictPlaylist(text, known.before);
    if (known.before) checkReload(known.before, playlist);
    known.before = playlist;
    for (const { msn, uri, map, isDiscontinuity, isGap, durationSeconds, parts } of playlist.segments) {
      if (msn < known.next || uri === undefined || isGap) continue;
      const entry = this.#window.segmentByMsn(trackId, msn);
      // A window that has just begun is led in by segments that never were.
      if (!entry && known.next < 0) continue;
      if (!entry) throw new Error(`segment ${msn} is listed and not there`);
      if (known.next > 0 && msn !== known.next) throw new Error(`segment ${msn} comes after ${known.next - 1}`);
      known.next = msn + 1;
      const { startTicks } = entry.segment;
      const timescale = trackId === 'v1' ? 90_000 : 48_000;
      this.placed[trackId].set(msn, {
        ...{ startMs: entry.startMs, durationMs: durationSeconds * 1000, mediaMs: (startTicks * 1000) / timescale },
      });
      if (isDiscontinuity) known.text.push('#EXT-X-DISCONTINUITY');
      const prefix = entry.address.slice(0, entry.address.lastIndexOf('-') + 1);
      if (map !== known.map) {
        const init = this.#window.init(trackId, entry.segment.initId, prefix);
        if (!init) throw new Error(`${map} is not there`);
        writeFileSync(join(this.#folder, `${trackId}-${map}`), await readMedia(init));
        known.text.push(`#EXT-X-MAP:URI="${trackId}-${map}"`);
        known.map = map;
      }
      // Of segments with parts the parts are taken: that is what a player of low latency loads.
      if (parts.length > 0) this.segmentsWithParts++;
      const bytes = await Promise.all(entry.segment.parts.map(async (part) => readMedia(part)));
      writeFileSync(join(this.#folder, `${trackId}-${msn}.m4s`), Buffer.concat(bytes));
      known.text.push(`#EXTINF:${durationSeconds},`, `${trackId}-${msn}.m4s`);
    }
  }

  async #lookAtTs(): Promise<void> {
    const text = renderTsPlaylist(this.#window);
    if (text === undefined) return;
    const known = this.#list('ts', 3);
    const lines = text.split('\n');
    let msn = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
    let isDiscontinuity = false;
    for (const line of lines) {
      if (line === '#EXT-X-DISCONTINUITY') isDiscontinuity = true;
      if (line === '' || line.startsWith('#')) continue;
      if (msn >= known.next) {
        const entry = new Programme(this.#window).byAddress(line.replace(/^.*\//, '').replace(/\.ts$/, ''));
        if (!entry) throw new Error(`${line} is listed and not there`);
        known.next = msn + 1;
        writeFileSync(join(this.#folder, `${msn}.ts`), await muxTsSegment(this.#window, entry.msn));
        if (isDiscontinuity) known.text.push('#EXT-X-DISCONTINUITY');
        known.text.push(`#EXTINF:2,`, `${msn}.ts`);
      }
      isDiscontinuity = false;
      msn++;
    }
  }

  #lookAtMpd(): void {
    const text = renderMpd(this.#window, { nowMs: 1_900_000_000_000 });
    if (text === undefined) return;
    const mpd = readStrictMpd(text);
    if (this.#mpd) checkUpdate(this.#mpd, mpd);
    this.#mpd = mpd;
    for (const { startMs, sets } of mpd.periods)
      for (const { trackId, media, offset, timescale, segments } of sets) {
        if (trackId !== 'v1') continue;
        const toMs = (ticks: number): number => startMs + ((ticks - offset) * 1000) / timescale;
        for (const { t, d } of segments)
          this.dash.set(`${startMs} ${media.replace('$Time$', String(t))}`, { fromMs: toMs(t), toMs: toMs(t + d) });
      }
  }

  #list(
    name: string,
    version: number,
  ): { before: ReadPlaylist | undefined; next: number; text: string[]; map: string } {
    const known = this.#lists.get(name);
    if (known) return known;
    const made = {
      before: undefined,
      next: -1,
      text: ['#EXTM3U', `#EXT-X-VERSION:${version}`, '#EXT-X-TARGETDURATION:4', '#EXT-X-MEDIA-SEQUENCE:0'],
      map: '',
    };
    this.#lists.set(name, made);
    return made;
  }
}

/** Decoded pictures, coded pictures, or coded sound: ffmpeg does not decode pictures in fragmented MP4 whose times begin anew. */
export type Content = 'v' | 'vc' | 'a';

/** What ffmpeg says where times begin anew, or an init segment comes again, behind EXT-X-DISCONTINUITY. */
const ABOUT_DISCONTINUITIES = /duplicated MOOV|out of order|Non-monotonous DTS|Last message repeated/;

/** Decoded pictures, or packets of sound, of a file or playlist; fails where a decoder complains. */
export function unitsOf(file: string, content: Content, options: readonly string[] = []): ShownUnit[] {
  const coding = content === 'v' ? ['-fps_mode', 'passthrough'] : ['-c', 'copy', ...options];
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    [
      ...['-v', 'warning', '-nostdin', '-threads', '1', '-copyts', '-i', file],
      ...['-map', `0:${content.charAt(0)}:0`, ...coding, '-f', 'framemd5', '-'],
    ],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const complaints = stderr.split('\n').filter((line) => line !== '' && !ABOUT_DISCONTINUITIES.test(line));
  if (complaints.length > 0) throw new Error(`ffmpeg complains of ${file}: ${complaints.slice(0, 20).join('\n')}`);
  const scale = Number(/#tb 0: 1\/(\d+)/.exec(stdout)?.[1]);
  return stdout
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(',').map((field) => field.trim()))
    .map((fields) => ({ digest: fields[5] ?? '', ms: (Number(fields[2]) * 1000) / scale }));
}

/** What a small programme or clip is made of. */
export interface NumberedMedia {
  readonly seconds: number;
  /** Makes its pictures and its sound others than those of another number. */
  readonly seed: number;
  readonly options?: readonly string[];
}

/** Encodes pictures and sound of which no two are alike, in closed GOPs of a second. */
export function encodeNumbered(file: string, { seconds, seed, options = [] }: NumberedMedia): void {
  const picture = `testsrc2=size=96x64:rate=25:duration=${seconds},hue=h=${seed * 47}`;
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', picture],
    ...['-f', 'lavfi', '-i', `anoisesrc=d=${seconds}:c=pink:r=48000:a=0.3:seed=${seed}`],
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1', '-level', '2.1'],
    ...['-g', '25', '-keyint_min', '25', '-sc_threshold', '0', '-bf', '0', ...options],
    ...['-ac', '2', '-c:a', 'aac', '-b:a', '48k', file],
  ]);
}
