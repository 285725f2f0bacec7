import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allUnitsOf, type ShownUnit, type RequestedUnits } from './numbered-media.ts';
import { checkUpdate, readStrictMpd, type ReadMpd } from './strict-mpd.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from './strict-playlist.ts';

/** Format of a stream for a viewer. */
type WireFormat = 'll-hls' | 'hls-ts' | 'dash';
type Loaded = Track | 'ts';
/** One video and two audio tracks. */
type Track = 'v1' | 'a1' | 'a2';
const TRACKS: readonly Track[] = ['v1', 'a1', 'a2'];

/**
 * Number of complete segments before the end at which a viewer starts, as players do (RFC 8216 6.3.3): older segments
 * leave the list first.
 */
const START_SEGMENTS = 3;
/**
 * Age of the newest part of the stream, in milliseconds, above which the encoder counts as late. Parts are much
 * shorter.
 */
const LATE_MS = 2000;
/** Pause between two loads of a playlist or manifest without blocking requests, in milliseconds. */
const PAUSE_MS = 250;
/** Attempts to load media from a disk that does not answer. */
const MAX_ATTEMPTS = 40;

/** Media that a decoder reads without a restart: between two discontinuities, or of a Period. */
interface Run {
  readonly media: Buffer[];
  /** Offset from media times to the timeline of the viewer, in milliseconds; unknown in HLS. */
  readonly offsetMs: number | undefined;
}

/** Run of one track as a file for ffmpeg. */
interface SentRun {
  readonly run: number;
  readonly offsetMs: number;
  readonly bytes: Buffer;
  /** Key of the content. */
  readonly key: string;
  readonly file: string;
  readonly request: RequestedUnits;
}

/** Unit that was shown, and its run. */
export interface WireUnit extends ShownUnit {
  readonly run: number;
}

/**
 * Viewer at the network level: requests each playlist and manifest, each part or segment once and in order, like players do, and
 * keeps the replies. Fails if a listed resource cannot be loaded, or a list violates its format.
 */
export class WireViewer {
  readonly #base: string;
  readonly #query: string;
  readonly #folder: string;
  readonly #format: WireFormat;
  readonly #plainQuery: string;
  readonly #runs = new Map<Loaded, Run[]>();
  readonly #stop = new AbortController();
  #following: Promise<unknown> | undefined;
  #loadedMs = 0;
  #fault: Error | undefined;
  /** Number of loaded parts of segments. */
  parts = 0;
  /** Number of parts that were requested by a preload hint, before they were listed. */
  hinted = 0;

  /** @param plainQuery query of a viewer without breaks */
  constructor(
    base: string,
    query: string,
    {
      folder,
      format,
      plainQuery,
    }: { readonly folder: string; readonly format: WireFormat; readonly plainQuery: string },
  ) {
    this.#plainQuery = plainQuery;
    this.#base = base;
    this.#query = query;
    this.#folder = folder;
    this.#format = format;
    mkdirSync(folder);
  }

  /** Starts to load. */
  start(): void {
    const all = { 'll-hls': () => this.#followHls(), 'hls-ts': () => this.#followTs(), dash: () => this.#followDash() };
    this.#following = all[this.#format]();
    this.#following.catch((error: unknown) => {
      this.#fault = error as Error;
    });
  }

  /** Duration of the video loaded after the first list, in milliseconds; throws earlier faults. */
  get loadedMs(): number {
    if (this.#fault) throw this.#fault;
    return this.#loadedMs;
  }

  /** Stops loading; throws earlier faults. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  /** Decodes all received media that was not decoded yet, by one run of ffmpeg. */
  async shown(): Promise<Readonly<Record<Track, readonly WireUnit[]>>> {
    const runs = TRACKS.flatMap((track) => this.#sent(track).map((run) => ({ track, ...run })));
    const missing = new Map(runs.filter(({ key }) => !decodedUnits.has(key)).map((run) => [run.key, run]));
    for (const { file, bytes } of missing.values()) writeFileSync(file, bytes);
    const decoded = await allUnitsOf([...missing.values()].map(({ request }) => request));
    for (const [index, key] of [...missing.keys()].entries()) decodedUnits.set(key, decoded[index] ?? []);
    const shown: Record<Track, WireUnit[]> = { v1: [], a1: [], a2: [] };
    for (const { track, key, offsetMs, run } of runs)
      for (const { digest, ms } of decodedUnits.get(key) ?? []) shown[track].push({ digest, ms: ms + offsetMs, run });
    return shown;
  }

  /** Runs of a track as files. */
  #sent(track: Track): SentRun[] {
    const isTs = this.#format === 'hls-ts';
    const runs = this.#runs.get(isTs ? 'ts' : track) ?? [];
    // If the viewer left before the first segment of the last run was complete, the run has only its init segment.
    const isEmpty = (runs.at(-1)?.media.length ?? 0) < (isTs ? 1 : 2);
    return (isEmpty ? runs.slice(0, -1) : runs).map(({ media, offsetMs = 0 }, run) => {
      const bytes = Buffer.concat(media);
      const key = `${track} ${createHash('sha256').update(bytes).digest('hex')}`;
      const file = join(this.#folder, `${track}-${run}`);
      return { run, offsetMs, bytes, key, file, request: requestFor(file, track, isTs) };
    });
  }

  /**
   * Loads a low-latency playlist, blocking until it has what follows the previous one. Like players, it loads again after a time-out,
   * which the server may cause only if the encoder is late.
   */
  async #playlist(address: string, before: ReadPlaylist | undefined): Promise<string> {
    for (;;) {
      try {
        return String(await this.#get(before ? `${address}&${nextOf(before)}` : address));
      } catch (error) {
        if (!String(error).includes('blocking_timeout')) throw error;
        const text = String(await this.#get(`${this.#base}/v1/index.m3u8?${this.#plainQuery}`));
        const ageMs = Date.now() - endMs(readStrictPlaylist(text));
        if (ageMs < LATE_MS) throw new Error(`${String(error)}, but the stream is ${ageMs} ms old:\n${text}`);
      }
    }
  }

  /** Loads an address. Like players, it loads again while the disk of the machine does not answer. */
  async #get(address: string): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      const answered = await fetch(address, { signal: this.#stop.signal });
      const body = Buffer.from(await answered.arrayBuffer());
      if (answered.status === 200) return body;
      const failure = `${address} is answered with ${answered.status}: ${String(body).slice(0, 300)}`;
      const isDiskBusy = /\(disk_(busy|not_answering)\)/.test(String(body));
      if (!isDiskBusy || attempt === MAX_ATTEMPTS) throw new Error(failure);
      await pause();
    }
  }

  /** Repeats a request until the viewer leaves. */
  async #repeat(load: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await load();
      } catch (error) {
        // The viewer has left, and closed the connection.
        if (this.#stop.signal.aborted) return;
        throw error;
      }
    }
  }

  #startRun(loaded: Loaded, offsetMs?: number): Run {
    const run = { media: [], offsetMs };
    const runs = this.#runs.get(loaded);
    if (runs) runs.push(run);
    else this.#runs.set(loaded, [run]);
    return run;
  }

  async #followHls(): Promise<void> {
    await this.#get(`${this.#base}/index.m3u8?${this.#query}`);
    await Promise.all(TRACKS.map((track) => this.#followTrack(track)));
  }

  /**
   * Loads a low-latency playlist in a loop: each request for the playlist or the hinted part waits until the next part
   * exists.
   */
  async #followTrack(track: Track): Promise<void> {
    const address = `${this.#base}/${track}/index.m3u8?${this.#query}`;
    const hints = new Map<string, Promise<Buffer | Error>>();
    const resolved = (uri: string): string => new URL(uri, address).href;
    let before: ReadPlaylist | undefined;
    let [msn, part, discontinuity, map] = [-1, 0, -1, ''];
    let media: Buffer[] = [];
    let payloads: Buffer[] = [];
    await this.#repeat(async () => {
      const text = await this.#playlist(address, before);
      const playlist = readStrictPlaylist(text, before);
      if (before) checkReload(before, playlist);
      const isLater = before !== undefined;
      before = playlist;
      const complete = playlist.segments.filter(
        ({ uri, isGap, map: init }) => uri !== undefined && uri !== init && !isGap,
      );
      if (msn < 0) msn = complete.slice(-START_SEGMENTS)[0]?.msn ?? -1;
      for (const segment of playlist.segments) {
        // Gap segments before the first real segment of a stream have only the init segment.
        if (segment.msn < msn || segment.isGap || segment.uri === segment.map) continue;
        if (segment.msn > msn && part > 0) throw new Error(`the rest of segment ${msn} of ${track} was not listed`);
        if (msn >= 0 && segment.msn > msn) throw new Error(`segment ${segment.msn} comes before ${msn}`);
        if (segment.parts.length === 0 && segment.uri === undefined) continue;
        if (msn < 0) msn = segment.msn;
        if (part === 0) {
          if (segment.discontinuity !== discontinuity || segment.map !== map) {
            media = this.#startRun(track).media;
            media.push(await this.#get(resolved(segment.map)));
          }
          ({ discontinuity, map } = segment);
          payloads = [];
        }
        for (const { uri } of segment.parts.slice(part)) {
          const hint = await hints.get(uri);
          if (hint instanceof Error) throw hint;
          payloads.push(hint ?? (await this.#get(resolved(uri))));
          hints.delete(uri);
          if (hint) this.hinted++;
          this.parts++;
          part++;
        }
        if (segment.uri === undefined) continue;
        const segmentBytes = segment.parts.length === 0 || part === 0 ? undefined : Buffer.concat(payloads);
        const bytes = await this.#get(resolved(segment.uri));
        if (segmentBytes && !segmentBytes.equals(bytes)) throw new Error(`${segment.uri} is not what its parts are`);
        media.push(bytes);
        if (track === 'v1' && isLater) this.#loadedMs += segment.durationSeconds * 1000;
        [msn, part] = [segment.msn + 1, 0];
      }
      const { hint } = playlist;
      if (hint !== undefined && !hints.has(hint))
        hints.set(
          hint,
          this.#get(resolved(hint)).catch((error: unknown) => error as Error),
        );
    });
  }

  async #followTs(): Promise<void> {
    const address = `${this.#base}/index.ts.m3u8?${this.#query}`;
    let next = -1;
    let media: Buffer[] | undefined;
    await this.#repeat(async () => {
      const text = String(await this.#get(address));
      const listedMs = performance.now();
      let msn = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
      if (next >= 0 && msn > next) throw new Error(`segment ${next} has left the playlist`);
      let [isDiscontinuity, seconds] = [false, 0];
      const isLater = next >= 0;
      const lines = text.split('\n');
      if (!isLater)
        next = msn + Math.max(0, lines.filter((line) => line.startsWith('#EXTINF')).length - START_SEGMENTS);
      for (const line of lines) {
        if (line === '#EXT-X-DISCONTINUITY') isDiscontinuity = true;
        seconds = Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? seconds);
        if (line === '' || line.startsWith('#')) continue;
        if (msn >= next) {
          if (!media || isDiscontinuity) ({ media } = this.#startRun('ts'));
          const segment = await this.#get(new URL(line, address).href).catch((error: unknown) => {
            const ageMs = Math.round(performance.now() - listedMs);
            throw new Error(`Segment ${msn}, listed ${ageMs} ms before: ${String(error)}\n${text}`, { cause: error });
          });
          media.push(segment);
          if (isLater) this.#loadedMs += seconds * 1000;
          next = msn + 1;
        }
        isDiscontinuity = false;
        msn++;
      }
      await pause();
    });
  }

  async #followDash(): Promise<void> {
    const address = `${this.#base}/index.mpd?${this.#query}`;
    let before: ReadMpd | undefined;
    const positions = new Map<string, { lastT: number; readonly run: Run }>();
    const skipped = new Set<string>();
    await this.#repeat(async () => {
      const mpd = readStrictMpd(String(await this.#get(address)));
      if (before) checkUpdate(before, mpd);
      const isLater = before !== undefined;
      before = mpd;
      if (!isLater) for (const { id } of mpd.periods.slice(0, -1)) skipped.add(id);
      for (const { id, startMs, sets } of mpd.periods.filter((period) => !skipped.has(period.id)))
        for (const { trackId: listed, initialization, media, offset, timescale, segments } of sets) {
          const trackId = TRACKS.find((track) => track === listed);
          if (!trackId) continue;
          const key = `${id} ${trackId}`;
          let next = positions.get(key);
          if (!next) {
            next = { lastT: -1, run: this.#startRun(trackId, startMs - (offset * 1000) / timescale) };
            positions.set(key, next);
            next.run.media.push(await this.#get(new URL(initialization, address).href));
          }
          const { lastT } = next;
          if (lastT >= 0 && segments[0] && segments[0].t > lastT)
            throw new Error(
              `what follows segment ${lastT} of ${key} may have left the manifest, which begins with ${segments[0].t}`,
            );
          for (const { t, d } of isLater ? segments : segments.slice(-START_SEGMENTS)) {
            // The duration of the newest segment is not known yet.
            if (t <= lastT) continue;
            next.run.media.push(await this.#get(new URL(media.replace('$Time$', String(t)), address).href));
            next.lastT = t;
            if (trackId === 'v1' && isLater) this.#loadedMs += (d * 1000) / timescale;
          }
        }
      await pause();
    });
  }
}

/** Next part after a playlist (RFC 8216bis 6.2.5.2). */
function nextOf({ segments, mediaSequence }: ReadPlaylist): string {
  const last = segments.at(-1);
  const isOpen = last?.uri === undefined;
  const msn = last ? last.msn + (isOpen ? 0 : 1) : mediaSequence;
  return `_HLS_msn=${msn}&_HLS_part=${last && isOpen ? last.parts.length : 0}`;
}

/** End of a live playlist in epoch milliseconds, by its last date. */
function endMs({ segments }: ReadPlaylist): number {
  let ms = 0;
  for (const { dateMs, uri, durationSeconds, parts } of segments) {
    const seconds = uri === undefined ? parts.reduce((sum, part) => sum + part.durationSeconds, 0) : durationSeconds;
    ms = (dateMs ?? ms) + seconds * 1000;
  }
  return ms;
}

/** Units of decoded runs, because a repeated clip is identical each time. */
const decodedUnits = new Map<string, readonly ShownUnit[]>();

function requestFor(file: string, track: Track, isTs: boolean): RequestedUnits {
  if (track === 'v1') return { file, content: 'v' };
  const ofTs = { options: ['-bsf:a', 'aac_adtstoasc'], track: Number(track.slice(1)) - 1 };
  return { file, content: 'a', ...(isTs ? ofTs : {}) };
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
