import { MpegTsWriter } from '../../media/containers/mpegts/writer.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import { areSameFormats, type Track } from '../../media/track.ts';
import type { StreamUnit } from '../../stream/stream-hub.ts';

/** Ticks per second of MPEG-2 systems. */
const TIMESCALE = 90_000;
/** Maximum number of splice information sections that wait for a unit. */
const MAX_SPLICES = 64;
/** Step of the time of a track that is a jump, in ticks. */
const JUMP_TICKS = TIMESCALE;

/** Transport stream of the units for one target. */
export class TsUnits {
  #writer: MpegTsWriter | undefined;
  #tracks: readonly Track[] = [];
  /** Decoding times of the newest units, in ticks, by their tracks. */
  readonly #newestTicks = new Map<string, number>();

  /** Splice information sections that follow the tables of the next unit. */
  readonly #splices: Uint8Array[] = [];

  /** Bytes of the packets that were not taken. */
  get length(): number {
    return this.#writer?.length ?? 0;
  }

  /** Announces tracks. @returns whether they differ from the earlier ones */
  announce(tracks: readonly Track[]): boolean {
    if (this.#writer && areSameFormats(this.#tracks, tracks)) return false;
    this.#tracks = tracks;
    if (this.#writer) this.#writer.setTracks(tracks);
    else this.#writer = new MpegTsWriter(tracks);
    return true;
  }

  /** Whether the time of a unit, the next one to be written, does not continue that of its track. */
  jumps({ track, dtsTicks }: StreamUnit): boolean {
    const newest = this.#newestTicks.get(track.id);
    return newest !== undefined && Math.abs(ticksOf(dtsTicks, track) - newest) > JUMP_TICKS;
  }

  /** Starts a segment, which can be read without the packets before it. */
  startSegment(): void {
    this.#writer?.startSegment();
  }

  /** Adds a splice information section. */
  splice(section: Uint8Array): void {
    this.#writer?.addSplices();
    if (this.#splices.push(section) > MAX_SPLICES) this.#splices.shift();
  }

  write(unit: StreamUnit): void {
    const { track, isRandomAccess, data } = unit;
    if (this.jumps(unit)) {
      // The times of the other tracks jump, too.
      this.#newestTicks.clear();
      this.#writer?.startTimeline();
    } else if (isRandomAccess && track.content === 'video') this.#writer?.startSegment();
    const dtsTicks = ticksOf(unit.dtsTicks, track);
    const ptsTicks = ticksOf(unit.ptsTicks, track);
    this.#newestTicks.set(track.id, dtsTicks);
    this.#writer?.accessUnit({ trackId: track.id, dtsTicks, ptsTicks, isRandomAccess, data });
    if (this.length > 0) for (const section of this.#splices.splice(0)) this.#writer?.splice(section);
  }

  /** Takes the packets so far, without audio frames that wait for others. */
  takeComplete(): Uint8Array {
    return this.#writer?.takeComplete() ?? new Uint8Array(0);
  }

  /** Takes all packets. */
  takeAll(): Uint8Array {
    return this.#writer?.take() ?? new Uint8Array(0);
  }
}

function ticksOf(ticks: number, { timescale }: Track): number {
  return convertTicks(ticks, timescale, TIMESCALE);
}
