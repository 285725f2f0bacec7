import { keepNewest } from '../../lib/limits/newest.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { MediaSink } from '../../media/access-unit.ts';
import { spliceEventsOf } from '../../media/scte35/splice-events.ts';
import { shiftSplice } from '../../media/scte35/splice-point.ts';
import { PTS_WRAP_TICKS } from '../../media/timing/unroll.ts';
import { isSameFormat } from '../../media/track.ts';
import type { Track } from '../../media/track.ts';
import { StatedSplices } from './stated-splices.ts';
import type { RenditionEntry, RenditionUnit } from './rendition-queue.ts';
import { OutputPositions } from './output-positions.ts';

/** Source of the merge: a rendition. */
export interface MergeSource {
  /** Whether the times have 33 bits and wrap. */
  readonly isWrapping: boolean;
  /** Whether no unit will follow. */
  readonly isDone: boolean;
  head(): RenditionEntry | undefined;
  /** First waiting access unit of each track in an era. */
  firsts(era: number): readonly RenditionUnit[];
  shift(): void;
}

/** Rendition and its position on the common timeline. */
export class MergedRendition {
  source: MergeSource;
  /** Whether the merge continues without this rendition until it delivers units again. */
  isAbsent = false;
  tracks: readonly Track[] = [];
  /** End of the last unit on the common timeline. */
  endTicks = -Infinity;
  /** Offset of the times of the rendition to the times of its siblings, in era `shiftEra`. */
  shiftTicks = 0;
  shiftEra = -1;
  /** Video tracks that wait for a random access point. */
  readonly waiting = new Set<string>();

  constructor(source: MergeSource) {
    this.source = source;
  }
}

/** Next possible step of the merge. */
export type MergeStep =
  | {
      readonly kind: 'unit';
      readonly rendition: MergedRendition;
      readonly entry: RenditionEntry;
      readonly ticks: number;
      readonly missing: readonly MergedRendition[];
    }
  /** All waiting units belong to the next era. */
  | { readonly kind: 'cross'; readonly missing: readonly MergedRendition[] }
  | { readonly kind: 'starved' }
  | { readonly kind: 'done' };

interface Era {
  /** Offset added to the times of the era. */
  readonly offsetTicks: number;
  /** First time of the era. */
  readonly firstTicks: number;
}

/** Minimum distance at which the times of a rendition count as unrelated to the times of its siblings. */
const UNRELATED_TICKS = 10 * INPUT_TIMESCALE;
/** Maximum time that one rendition may continue in an old era while another waits in the next. */
const MAX_WAIT_TICKS = 2 * INPUT_TIMESCALE;
/** Remembered eras, for late units. */
const MAX_ERAS = 16;

/**
 * Merges the renditions of one presentation on one timeline, in the order of decoding times. All renditions cross a
 * discontinuity together; the times after it are shifted, all by the same amount, so that the tracks are continuous:
 * the sink sees one clock that never jumps.
 */
export class RenditionMerge {
  readonly renditions: readonly MergedRendition[];
  readonly #sink: MediaSink;
  readonly #eras = new Map<number, Era>();
  readonly #positions = new OutputPositions();
  readonly #stated = new StatedSplices();
  #era = -1;
  /** Start of the current era on the common timeline. */
  #eraStartTicks = -Infinity;
  #announced: readonly Track[] = [];

  constructor(sources: readonly MergeSource[], sink: MediaSink) {
    this.renditions = sources.map((source) => new MergedRendition(source));
    this.#sink = sink;
  }

  /** End of the output; undefined before the first unit. */
  get endTicks(): number | undefined {
    return this.#positions.endTicks;
  }

  /** Next possible step. Renditions that must deliver first are listed as missing. */
  next(): MergeStep {
    let best: { rendition: MergedRendition; entry: RenditionEntry; ticks: number } | undefined;
    let early: { rendition: MergedRendition; entry: RenditionEntry } | undefined;
    const missing: MergedRendition[] = [];
    let isOpen = false;
    for (const rendition of this.renditions) {
      const entry = rendition.source.head();
      if (!entry) {
        isOpen ||= !rendition.source.isDone;
        if (!rendition.source.isDone && !rendition.isAbsent) missing.push(rendition);
        continue;
      }
      rendition.isAbsent = false;
      if (entry.era > this.#era) {
        if (!early || entry.era < early.entry.era) early = { rendition, entry };
        continue;
      }
      const ticks = this.#ticksOf(rendition, entry);
      if (!best || ticks < best.ticks) best = { rendition, entry, ticks };
    }
    if (best && early && best.ticks > Math.max(early.rendition.endTicks, this.#eraStartTicks) + MAX_WAIT_TICKS) {
      // The other rendition has no discontinuity: the merge does not wait for it.
      this.#enter(early.entry.era, [early.rendition]);
      return this.next();
    }
    if (best) {
      const { ticks } = best;
      return { kind: 'unit', ...best, missing: missing.filter((rendition) => rendition.endTicks < ticks) };
    }
    if (early) return { kind: 'cross', missing };
    return isOpen ? { kind: 'starved' } : { kind: 'done' };
  }

  /** Moves to the next era with all renditions that have reached it. */
  cross(): void {
    const arrived = this.renditions.filter((rendition) => (rendition.source.head()?.era ?? -1) > this.#era);
    const era = Math.min(...arrived.map((rendition) => rendition.source.head()?.era ?? Infinity));
    if (Number.isFinite(era))
      this.#enter(
        era,
        arrived.filter((rendition) => rendition.source.head()?.era === era),
      );
  }

  /** Emits the entry returned by `next`, and removes it from its rendition. */
  emit({ rendition, entry }: { readonly rendition: MergedRendition; readonly entry: RenditionEntry }): void {
    const moved = this.#offsetOf(rendition, entry);
    rendition.source.shift();
    if (entry.kind === 'splice') {
      const message = shiftSplice(entry.message, moved);
      for (const section of spliceEventsOf(message.section))
        for (const one of this.#stated.take({ ...message, section }, entry.origin, entry.isGenerated))
          this.#sink.splice(one);
      return;
    }
    if (entry.tracks !== rendition.tracks) this.#announce([[rendition, entry.tracks]]);
    if (entry.isAfterGap && entry.isVideo) rendition.waiting.add(entry.unit.trackId);
    if (!this.#isNeeded(rendition, entry)) return;
    const { unit } = entry;
    const dtsTicks = unit.dtsTicks + moved;
    rendition.endTicks = Math.max(rendition.endTicks, this.#positions.take(unit.trackId, dtsTicks, rendition.tracks));
    this.#sink.accessUnit({ ...unit, dtsTicks, ptsTicks: unit.ptsTicks + moved });
  }

  #isNeeded(rendition: MergedRendition, { unit, isVideo }: RenditionUnit): boolean {
    if (!isVideo || !rendition.waiting.has(unit.trackId)) return true;
    if (unit.isRandomAccess) rendition.waiting.delete(unit.trackId);
    return unit.isRandomAccess;
  }

  #enter(era: number, renditions: readonly MergedRendition[]): void {
    const isFirst = this.#positions.endTicks === undefined;
    const reference = renditions[0]!.source.head()!.ticks;
    const aligned = renditions.map((rendition) => {
      const { ticks } = rendition.source.head()!;
      return ticks + this.#align(rendition, era, ticks, reference);
    });
    const firstTicks = Math.min(...aligned);
    const offsetTicks = isFirst ? 0 : this.#offsetTo(era, renditions, firstTicks);
    this.#eras.set(era, { offsetTicks, firstTicks });
    this.#eraStartTicks = firstTicks + offsetTicks;
    keepNewest(this.#eras, MAX_ERAS);
    this.#era = era;
    const tracks: (readonly [MergedRendition, readonly Track[]])[] = [];
    for (const rendition of renditions) {
      const entry = rendition.source.head();
      if (entry && entry.tracks.length > 0) tracks.push([rendition, entry.tracks]);
    }
    this.#announce(tracks);
    for (const rendition of renditions)
      for (const track of rendition.tracks) if (track.content === 'video') rendition.waiting.add(track.id);
    if (isFirst) this.#trim(renditions);
  }

  /**
   * Offset of an era that continues the output. No track starts before its own end, and the track that would overlap
   * first follows without a gap. The end of the longest track is not used, because decoding times of video are ahead
   * of audio.
   */
  #offsetTo(era: number, renditions: readonly MergedRendition[], firstTicks: number): number {
    const steps = renditions.flatMap((rendition) =>
      rendition.source.firsts(era).flatMap(({ unit, ticks }) => {
        const end = this.#positions.endOf(unit.trackId);
        return end === undefined ? [] : [end - ticks - rendition.shiftTicks];
      }),
    );
    return Math.round(steps.length > 0 ? Math.max(...steps) : (this.#positions.endTicks ?? 0) - firstTicks);
  }

  /** Drops audio before the first video, at the start of the presentation. */
  #trim(renditions: readonly MergedRendition[]): void {
    const head = (rendition: MergedRendition): RenditionEntry | undefined => rendition.source.head();
    const video = renditions.find((rendition) => rendition.tracks.some(({ content }) => content === 'video'));
    const videoHead = video && head(video);
    if (!video || !videoHead) return;
    const from = this.#ticksOf(video, videoHead);
    for (const rendition of renditions) {
      if (rendition === video) continue;
      for (
        let entry = head(rendition);
        entry && entry.era === videoHead.era && this.#ticksOf(rendition, entry) < from;
        entry = head(rendition)
      )
        rendition.source.shift();
    }
  }

  #announce(changes: readonly (readonly [MergedRendition, readonly Track[]])[]): void {
    for (const [rendition, tracks] of changes) rendition.tracks = tracks;
    const all = this.renditions.flatMap((rendition) => rendition.tracks);
    const known = this.#announced;
    if (all.length === known.length && all.every((track, index) => isSameFormat(track, known[index]!))) return;
    this.#announced = all;
    this.#sink.tracks(all);
  }

  #ticksOf(rendition: MergedRendition, entry: RenditionEntry): number {
    return entry.ticks + this.#offsetOf(rendition, entry);
  }

  /** Offset from the times of an entry to the common timeline. */
  #offsetOf(rendition: MergedRendition, entry: RenditionEntry): number {
    let era = this.#eras.get(entry.era);
    if (!era) {
      // An era that only this rendition has, or an era that ended long ago, continues the rendition itself.
      const firstTicks = entry.ticks;
      const from = rendition.endTicks === -Infinity ? (this.#positions.endTicks ?? firstTicks) : rendition.endTicks;
      era = { offsetTicks: Math.round(from) - firstTicks, firstTicks };
      this.#eras.set(entry.era, era);
    }
    if (rendition.shiftEra !== entry.era) {
      const expected = Math.max(era.firstTicks, (this.#positions.endTicks ?? -Infinity) - era.offsetTicks);
      this.#align(rendition, entry.era, entry.ticks, expected);
    }
    return era.offsetTicks + rendition.shiftTicks;
  }

  /** Aligns the times of one rendition with its siblings: across a wrap, or from an unrelated clock. */
  #align(rendition: MergedRendition, era: number, ticks: number, reference: number): number {
    let shift = rendition.source.isWrapping ? Math.round((reference - ticks) / PTS_WRAP_TICKS) * PTS_WRAP_TICKS : 0;
    if (Math.abs(ticks + shift - reference) > UNRELATED_TICKS) shift = Math.round(reference - ticks);
    rendition.shiftTicks = shift;
    rendition.shiftEra = era;
    return shift;
  }
}
