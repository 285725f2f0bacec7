import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { explained } from '../../lib/error-message.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import type { Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';
import type { PushBacklog, PushFault, PushTarget, PushTargetPort } from '../target/push-target.ts';
import { MAX_SEGMENT_MS, type HlsPlaylist } from './hls-playlist.ts';
import type { HttpTargetOptions } from './http-address.ts';
import { HttpFiles } from './http-files.ts';
import { TsUnits } from './ts-units.ts';

export interface HlsTargetOptions extends HttpTargetOptions {
  /** Playlist of the target, which goes on from one connection to the next. */
  readonly playlist: HlsPlaylist;
  /** Maximum wait for the answer to a file, in milliseconds. */
  readonly timeoutMs: number;
}

/** Segment that waits for its upload or is being uploaded. */
interface WaitingSegment {
  readonly parts: readonly Uint8Array[];
  readonly bytes: number;
  readonly durationMs: number;
  readonly isDiscontinuity: boolean;
  /** Arrival of its last unit in epoch milliseconds. */
  readonly arrivedMs: number;
}

/** Minimum duration of a segment, which ends at the next random access point, in milliseconds. */
const MIN_SEGMENT_MS = 4000;
/** Size at which a segment ends without a random access point. */
const MAX_SEGMENT_BYTES = 16 * 1024 * 1024;
/** Size of the parts of a segment, so that no large buffer is copied. */
const PART_BYTES = 256 * 1024;
/** Maximum size and delay of the segments that wait, at which further units are taken. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const MAX_WAITING_MS = 12_000;
/** Time for the upload of the rest at the end, in milliseconds. */
const LINGER_MS = 3000;
const MPEG_TS = 'video/mp2t';
const PLAYLIST = 'application/vnd.apple.mpegurl';

/**
 * Push to a web server as HLS (`hls://`, `hlss://`): a PUT of each segment and then of the playlist; old segments are
 * removed by DELETE.
 */
export class HlsTarget implements PushTarget {
  readonly catchesUp = true;
  /** Whether the server has a segment and its playlist. */
  isConfirmed = false;
  readonly #options: HlsTargetOptions;
  readonly #port: PushTargetPort;
  readonly #files: HttpFiles;
  readonly #playlistName: string;
  readonly #units = new TsUnits();
  /** Track whose random access points start segments. */
  #mainId: string | undefined;
  /** Packets of the open segment. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  /** Times of the main track in the open segment in milliseconds; the first one is undefined before a unit of it. */
  #startMs: number | undefined;
  #endMs = 0;
  #isDiscontinuity = true;
  /** Arrival of the newest unit in epoch milliseconds. */
  #newestMs = 0;
  readonly #waiting: WaitingSegment[] = [];
  #isSending = false;
  #isEnding = false;
  #isOver = false;
  #cancelEnd: (() => void) | undefined;

  constructor(options: HlsTargetOptions, port: PushTargetPort) {
    this.#options = options;
    this.#port = port;
    this.#files = new HttpFiles(options);
    this.#playlistName = options.address.url.pathname.split('/').at(-1) ?? '';
    this.#attempt(this.#start());
  }

  get sentBytes(): number {
    return this.#files.sentBytes;
  }

  get acknowledgedBytes(): number {
    return this.#files.confirmedBytes;
  }

  /** The segment that is being uploaded does not count as a delay. */
  get backlog(): PushBacklog {
    const [, next] = this.#waiting;
    return {
      bytes: this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0),
      lagMs: next ? Math.max(0, this.#newestMs - next.arrivedMs) : 0,
      progressMs: this.#files.progressMs,
      maxBytes: MAX_WAITING_BYTES,
      maxLagMs: MAX_WAITING_MS,
    };
  }

  tracks(tracks: readonly Track[]): ReadonlySet<string> {
    this.#cut();
    if (this.#units.announce(tracks)) this.#isDiscontinuity = true;
    this.#mainId = (tracks.find(({ content }) => content === 'video') ?? tracks[0])?.id;
    return new Set(tracks.map(({ id }) => id));
  }

  unit(unit: StreamUnit): void {
    const { track, dtsTicks, lastsTicks, isRandomAccess } = unit;
    this.#newestMs = unit.arrivedMs;
    const startMs = ticksToMs(dtsTicks, track.timescale);
    const endMs = startMs + ticksToMs(lastsTicks, track.timescale);
    if (this.#units.jumps(unit)) {
      this.#cut();
      this.#isDiscontinuity = true;
    } else if (track.id === this.#mainId && this.#startMs !== undefined) {
      const isLong = isRandomAccess && startMs - this.#startMs >= MIN_SEGMENT_MS;
      if (isLong || endMs - this.#startMs > MAX_SEGMENT_MS || this.#partBytes >= MAX_SEGMENT_BYTES) this.#cut();
    }
    if (track.id === this.#mainId) {
      this.#startMs ??= startMs;
      this.#endMs = endMs;
    }
    this.#units.write(unit);
    if (this.#units.length >= PART_BYTES) this.#addPart(this.#units.takeComplete());
  }

  splice(section: Uint8Array): void {
    this.#units.splice(section);
  }

  flush(): void {
    const { clock, timeoutMs } = this.#options;
    const isLate = this.#files.isAwaitingAnswer && clock.now() - this.#files.progressMs > timeoutMs;
    if (isLate && this.#waiting.length > 0)
      this.#fail({
        code: 'push_no_answer',
        ...because('push_no_confirmation', { seconds: Math.round(timeoutMs / 1000) }),
      });
  }

  close(): void {
    if (this.#isOver || this.#isEnding) return;
    this.#isEnding = true;
    this.#cut();
    if (!this.#isSending) this.#end();
    else
      this.#cancelEnd = this.#options.clock.after(LINGER_MS, () => {
        this.#end();
      });
  }

  /** Continues the playlist on the server, if it has one. */
  async #start(): Promise<void> {
    const found = await this.#files.read(this.#playlistName);
    if (this.#isOver || this.#isEnding) return;
    if (!('text' in found)) {
      this.#fail(found);
      return;
    }
    this.#options.playlist.continue(found.text);
    this.#port.accepted();
  }

  /** Ends the open segment. Without a unit of the main track, its packets become part of the next one. */
  #cut(): void {
    if (this.#startMs === undefined) return;
    this.#addPart(this.#units.takeAll());
    this.#units.startSegment();
    this.#waiting.push({
      parts: this.#parts,
      bytes: this.#partBytes,
      durationMs: Math.max(1, this.#endMs - this.#startMs),
      isDiscontinuity: this.#isDiscontinuity,
      arrivedMs: this.#newestMs,
    });
    this.#parts = [];
    this.#partBytes = 0;
    this.#startMs = undefined;
    this.#isDiscontinuity = false;
    if (!this.#isSending) this.#attempt(this.#send());
  }

  #addPart(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
  }

  /** Sends the segments that wait, one after another. */
  async #send(): Promise<void> {
    const { playlist } = this.#options;
    this.#isSending = true;
    for (let segment = this.#waiting[0]; segment && !this.#isOver; segment = this.#waiting[0]) {
      const { parts, durationMs, isDiscontinuity } = segment;
      const name = playlist.takeName();
      let fault = await this.#files.write(name, MPEG_TS, parts);
      if (!fault) {
        playlist.add({ name, durationMs, isDiscontinuity });
        fault = await this.#files.write(this.#playlistName, PLAYLIST, [Buffer.from(playlist.text())]);
      }
      if (fault) {
        this.#fail(fault);
        return;
      }
      this.isConfirmed = true;
      this.#waiting.shift();
      for (const old of playlist.takeExpired()) await this.#files.remove(old);
    }
    this.#isSending = false;
    if (this.#isEnding) this.#end();
  }

  #attempt(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#fail({ code: 'internal', ...because('push_failed', { reason: explained(error) }) });
    });
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelEnd?.();
    this.#waiting.length = 0;
    this.#files.close();
  }

  #fail(fault: PushFault): void {
    if (this.#isOver) return;
    const isEnding = this.#isEnding;
    this.#end();
    if (!isEnding) this.#port.failed(fault);
  }
}
