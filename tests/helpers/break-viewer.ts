import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMpd } from '../../src-main/packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../../src-main/packaging/hls/media-playlist.ts';
import { renderTsPlaylist } from '../../src-main/packaging/hls/ts-playlist.ts';
import { muxTsSegment } from '../../src-main/packaging/mpegts/segment.ts';
import { Programme } from '../../src-main/packaging/programme.ts';
import { readMedia } from '../../src-main/segment/media-bytes.ts';
import type { ChangingWindow } from '../../src-main/segment/segment-window.ts';
import { allUnitsOf, type Content, type ShownUnit } from './numbered-media.ts';
import { checkUpdate, readStrictMpd, type ReadMpd } from './strict-mpd.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from './strict-playlist.ts';

interface PlacedSegment {
  readonly startMs: number;
  readonly durationMs: number;
  readonly mediaMs: number;
}

interface ShownRecording {
  readonly v: readonly ShownUnit[];
  readonly a: readonly ShownUnit[];
}

/** Video and audio from the recording of single tracks, and from the recording of transport streams. */
interface ShownRecordings {
  readonly v1: ShownRecording;
  readonly ts: ShownRecording;
}

/** Viewer who loads each listed segment once, and keeps the segments as a recording that ffmpeg plays. */
export class BreakViewer {
  readonly #window: ChangingWindow;
  readonly #folder: string;
  readonly #pictures: Exclude<Content, 'a'>;
  readonly #lists = new Map<string, { before: ReadPlaylist | undefined; next: number; text: string[]; map: string }>();
  #mpd: ReadMpd | undefined;
  /** Addresses of video segments in the order of the manifest, with their times in milliseconds on its timeline. */
  readonly dash = new Map<string, { readonly fromMs: number; readonly toMs: number }>();
  /**
   * Position of each segment: its number, start and duration on the timeline of the viewer, and the time of its media, in
   * milliseconds.
   */
  readonly placed = {
    v1: new Map<number, PlacedSegment>(),
    a1: new Map<number, PlacedSegment>(),
  };
  /** Segments whose parts were listed. */
  segmentsWithParts = 0;

  #shown: Promise<ShownRecordings> | undefined;

  /** @param pictures content that ffmpeg reads of the video of `v1` */
  constructor(window: ChangingWindow, folder: string, pictures: Exclude<Content, 'a'>) {
    this.#window = window;
    this.#folder = folder;
    this.#pictures = pictures;
    mkdirSync(folder);
  }

  /** Loads everything new. */
  async poll(): Promise<void> {
    for (const trackId of ['v1', 'a1'] as const) await this.#loadTrack(trackId);
    await this.#loadTs();
    this.#loadMpd();
  }

  /** Reads the whole recording by ffmpeg; nothing is recorded after that. */
  shown(): Promise<ShownRecordings> {
    this.#shown ??= this.#read();
    return this.#shown;
  }

  async #read(): Promise<ShownRecordings> {
    const ts = this.playlist('ts');
    const [v1 = [], a1 = [], v = [], a = []] = await allUnitsOf([
      { file: this.playlist('v1'), content: this.#pictures },
      { file: this.playlist('a1'), content: 'a' },
      { file: ts, content: 'v' },
      { file: ts, content: 'a', options: ['-bsf:a', 'aac_adtstoasc'] },
    ]);
    return { v1: { v: v1, a: a1 }, ts: { v, a } };
  }

  /** Playlist file of a recording. */
  playlist(recording: 'v1' | 'a1' | 'ts'): string {
    const file = join(this.#folder, `${recording}.m3u8`);
    writeFileSync(file, [...(this.#lists.get(recording)?.text ?? []), '#EXT-X-ENDLIST', ''].join('\n'));
    return file;
  }

  async #loadTrack(trackId: 'v1' | 'a1'): Promise<void> {
    const text = renderMediaPlaylist(this.#window, { trackId, marks: 'rfc8216' });
    if (text === undefined) return;
    const list = this.#list(trackId, 9);
    const playlist = readStrictPlaylist(text, list.before);
    if (list.before) checkReload(list.before, playlist);
    list.before = playlist;
    for (const { msn, uri, map, isDiscontinuity, isGap, durationSeconds, parts } of playlist.segments) {
      if (msn < list.next || uri === undefined || isGap) continue;
      const entry = this.#window.segmentByMsn(trackId, msn);
      // A new window starts with segments that never existed.
      if (!entry && list.next < 0) continue;
      if (!entry) throw new Error(`segment ${msn} is listed and not there`);
      if (list.next > 0 && msn !== list.next) throw new Error(`segment ${msn} comes after ${list.next - 1}`);
      list.next = msn + 1;
      const { startTicks } = entry.segment;
      const timescale = trackId === 'v1' ? 90_000 : 48_000;
      this.placed[trackId].set(msn, {
        startMs: entry.startMs,
        durationMs: durationSeconds * 1000,
        mediaMs: (startTicks * 1000) / timescale,
      });
      if (isDiscontinuity) list.text.push('#EXT-X-DISCONTINUITY');
      const prefix = entry.address.slice(0, entry.address.lastIndexOf('-') + 1);
      if (map !== list.map) {
        const init = this.#window.init(trackId, entry.segment.initId, prefix);
        if (!init) throw new Error(`${map} is not there`);
        writeFileSync(join(this.#folder, `${trackId}-${map}`), await readMedia(init));
        list.text.push(`#EXT-X-MAP:URI="${trackId}-${map}"`);
        list.map = map;
      }
      // If a segment has parts, the parts are loaded, as by a low-latency player.
      if (parts.length > 0) this.segmentsWithParts++;
      const bytes = await Promise.all(entry.segment.parts.map(async (part) => readMedia(part)));
      writeFileSync(join(this.#folder, `${trackId}-${msn}.m4s`), Buffer.concat(bytes));
      list.text.push(`#EXTINF:${durationSeconds},`, `${trackId}-${msn}.m4s`);
    }
  }

  async #loadTs(): Promise<void> {
    const text = renderTsPlaylist(this.#window);
    if (text === undefined) return;
    const list = this.#list('ts', 3);
    const lines = text.split('\n');
    let msn = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
    let isDiscontinuity = false;
    for (const line of lines) {
      if (line === '#EXT-X-DISCONTINUITY') isDiscontinuity = true;
      if (line === '' || line.startsWith('#')) continue;
      if (msn >= list.next) {
        const entry = new Programme(this.#window).byAddress(line.replace(/^.*\//, '').replace(/\.ts$/, ''));
        if (!entry) throw new Error(`${line} is listed and not there`);
        list.next = msn + 1;
        writeFileSync(join(this.#folder, `${msn}.ts`), await muxTsSegment(this.#window, entry.msn));
        if (isDiscontinuity) list.text.push('#EXT-X-DISCONTINUITY');
        list.text.push(`#EXTINF:2,`, `${msn}.ts`);
      }
      isDiscontinuity = false;
      msn++;
    }
  }

  #loadMpd(): void {
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
    const existing = this.#lists.get(name);
    if (existing) return existing;
    const list = {
      before: undefined,
      next: -1,
      text: ['#EXTM3U', `#EXT-X-VERSION:${version}`, '#EXT-X-TARGETDURATION:4', '#EXT-X-MEDIA-SEQUENCE:0'],
      map: '',
    };
    this.#lists.set(name, list);
    return list;
  }
}
