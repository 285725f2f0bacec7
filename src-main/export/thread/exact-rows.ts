import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import type { Track, VideoTrack } from '../../media/track.ts';
import type { ArchiveRow, RowChunks } from './archive-rows.ts';
import { cutFacts, isIdr, withParameterSets, type CutPictures } from './exact-format.ts';
import { chunkOf, samplesOf, type Sample } from './exact-samples.ts';
import { ExportFailure } from './export-task.ts';
import { readIntact } from './row-bytes.ts';
import { TrackChoice } from './track-choice.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

export interface ExactOptions {
  readonly rows: (time: TimeRange) => AsyncIterable<ArchiveRow>;
  readonly time: TimeRange;
  readonly trackIds?: readonly string[] | undefined;
  /** Encodes the pictures of a time range again. */
  readonly encode: CutPictures;
}

/** Maximum distance between a cut and the next IDR picture, in milliseconds. */
const LEAD_MS = 20_000;
const SEARCH_MS = 40_000;
/**
 * Maximum time, in milliseconds, by which a random access point may be shown later than a picture that follows it in
 * the file.
 */
const TRAIL_MS = 1000;

/** Sample with its position. */
interface LocatedSample extends Sample {
  readonly row: number;
  readonly index: number;
}

/**
 * Rows with pictures of one format, and the part that is exported; without a start or an end it extends to the change of format.
 */
interface Range {
  readonly track: VideoTrack;
  readonly first: ArchiveRow;
  readonly last: ArchiveRow;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** Range after cutting: the samples of its incomplete rows, and the track with the parameter sets of the encoded pictures. */
interface CutRange extends Range {
  readonly changed: ReadonlyMap<number, readonly Sample[]>;
  readonly merged: VideoTrack;
}

/** Replacement rows by number. */
type Replacements = ReadonlyMap<number, ArchiveRow>;

/**
 * Streams the rows of a time range, cut to the frame: pictures shown from its start up to its end. Only the pictures between the
 * start and the next IDR picture, and between the last IDR picture and the end, are encoded again. No picture is encoded again if
 * a cut is at an IDR picture or drops no picture. Audio is cut at the frame that contains the time. Throws `export_not_exact` if
 * impossible.
 */
export async function exactRows({
  rows,
  time,
  trackIds,
  encode,
}: ExactOptions): Promise<() => AsyncGenerator<ArchiveRow, void, undefined>> {
  const wide = { startMs: time.startMs - LEAD_MS, endMs: time.endMs + TRAIL_MS };
  const { head, tail } = await endsOf(rows(wide), time);
  const cut = new ExactCut(time, head, tail, new TrackChoice(trackIds), encode);
  const { replacements, firstRow, ranges } = await cut.make();
  const retracked = (chunks: RowChunks): RowChunks => {
    const { id } = chunks.track;
    const range = ranges.find(({ track }) => track.id === id && isSameConfig(chunks.track, track));
    return range ? { ...chunks, track: range.merged } : chunks;
  };
  return async function* () {
    for await (const row of rows(wide)) {
      if (row.number < firstRow || row.startMs >= time.endMs) continue;
      const replaced = replacements.get(row.number) ?? row;
      if (replaced.chunks.length > 0) yield { ...replaced, chunks: replaced.chunks.map(retracked) };
    }
  };
}

/** Rows around both ends of a time range. */
async function endsOf(
  rows: AsyncIterable<ArchiveRow>,
  time: TimeRange,
): Promise<{ readonly head: readonly ArchiveRow[]; readonly tail: readonly ArchiveRow[] }> {
  const head: ArchiveRow[] = [];
  let tail: ArchiveRow[] = [];
  for await (const row of rows) {
    if (row.startMs < time.startMs + SEARCH_MS) head.push(row);
    tail.push(row);
    if ((tail[0]?.endMs ?? Infinity) < row.startMs - SEARCH_MS) tail = tail.slice(1);
  }
  return { head, tail };
}

/** State of one cut. */
class ExactCut {
  readonly #time: TimeRange;
  readonly #rows: readonly ArchiveRow[];
  readonly #choice: TrackChoice;
  readonly #encode: CutPictures;
  readonly #samples = new Map<number, readonly LocatedSample[]>();

  constructor(
    time: TimeRange,
    head: readonly ArchiveRow[],
    tail: readonly ArchiveRow[],
    choice: TrackChoice,
    encode: CutPictures,
  ) {
    this.#time = time;
    this.#rows = [...head, ...tail.filter(({ number }) => number > (head.at(-1)?.number ?? -1))];
    this.#choice = choice;
    this.#encode = encode;
  }

  async make(): Promise<{
    readonly replacements: Replacements;
    readonly firstRow: number;
    readonly ranges: readonly CutRange[];
  }> {
    const { startMs, endMs } = this.#time;
    const first = this.#rows.find((row) => row.endMs > startMs);
    const last = this.#rows.findLast((row) => row.startMs < endMs);
    if (!first || !last || first.startMs >= endMs)
      throw new ExportFailure('archive_empty', because('range_not_recorded'));
    const cut: CutRange[] = [];
    for (const range of this.#ranges(first, last)) cut.push(await this.#cutVideo(range));
    const ranges = inOneEntry(cut);
    const replacements = new Map<number, ArchiveRow>();
    for (const row of this.#rows) {
      if (row.number < first.number || row.startMs >= endMs) continue;
      const range = ranges.find(({ changed }) => changed.has(row.number));
      const isCut = row.startMs < startMs || row.endMs > endMs;
      if (!range && !isCut && row !== first && row !== last) continue;
      replacements.set(row.number, await this.#replaced(row, row === first, range));
    }
    return { replacements, firstRow: first.number, ranges };
  }

  /** Pictures around both ends: one range, or one at each end if the format changes in between. Empty without pictures. */
  #ranges(first: ArchiveRow, last: ArchiveRow): readonly Range[] {
    const { startMs: fromMs, endMs: toMs } = this.#time;
    const [track, lastTrack] = [this.#videoOf(first)?.track, this.#videoOf(last)?.track];
    if (track?.content !== 'video') return [];
    if (lastTrack?.content !== 'video') throw notExact(because('cut_end_without_video'));
    const rows = this.#rows.filter(({ number }) => number >= first.number && number <= last.number);
    const isOther = (row: ArchiveRow, than: Track): boolean => {
      const videoTrack = this.#videoOf(row)?.track;
      return videoTrack !== undefined && !isSameConfig(videoTrack, than);
    };
    const changeIndex = rows.findIndex((row) => isOther(row, track));
    if (changeIndex < 0) return [{ track, first, last, fromMs, toMs }];
    const lastChangeIndex = rows.findLastIndex((row) => isOther(row, lastTrack));
    return [
      { track, first, last: rows[changeIndex - 1] ?? first, fromMs },
      { track: lastTrack, first: rows[lastChangeIndex + 1] ?? last, last, toMs },
    ];
  }

  async #cutVideo(range: Range): Promise<CutRange> {
    const { track, first, last } = range;
    const facts = cutFacts(track);
    // Without cuts, all pictures of the range are between the two.
    const fromTicks = this.#ticks(range.fromMs ?? first.startMs - LEAD_MS, track);
    const toTicks = this.#ticks(range.toMs ?? last.endMs + LEAD_MS, track);
    const endRow = range.toMs === undefined ? last.number : Infinity;
    const [start] = await this.#samplesOf(first);
    const isIn = ({ ptsTicks }: Sample): boolean => ptsTicks >= fromTicks && ptsTicks < toTicks;
    const entry =
      range.fromMs === undefined
        ? start
        : await this.#find(first, 1, (one) => one.ptsTicks >= fromTicks && isIdr(one.data));
    const exit = await this.#find(last, -1, (one) => one.ptsTicks < toTicks && isIdr(one.data));
    const isOne = !entry || entry.ptsTicks >= toTicks || !exit || (range.toMs !== undefined && isBefore(exit, entry));
    const changed = new Map<number, LocatedSample[] | Sample[]>();
    const configs: Uint8Array[] = [];
    const encoded = async (
      from: LocatedSample,
      to: LocatedSample | undefined,
      keep: readonly [number, number],
      delayTicks: number,
    ): Promise<Sample[]> => {
      const pictures = (await this.#between(from, to, endRow)).map(({ ptsTicks, data }) => ({ ptsTicks, data }));
      const result = await this.#encode({
        ...facts,
        decoderConfig: track.decoderConfig,
        pictures,
        fromTicks: keep[0],
        toTicks: keep[1],
        timescale: track.timescale,
        fps: track.fps ?? 25,
      });
      configs.push(result.decoderConfig);
      return result.pictures.map(({ ptsTicks, data }, index, all) => {
        const nextTicks = all[index + 1]?.ptsTicks ?? (to ? to.dtsTicks + delayTicks : ptsTicks + from.durationTicks);
        const durationTicks = Math.max(1, nextTicks - ptsTicks);
        return { data, dtsTicks: ptsTicks - delayTicks, ptsTicks, durationTicks, isSync: index === 0 };
      });
    };
    // Random access point from which the first picture is decoded.
    const begin =
      range.fromMs === undefined
        ? start
        : await this.#find(first, -1, (one) => one.ptsTicks <= fromTicks && isIdr(one.data));
    const rowsIn = this.#rows.filter(({ number }) => number >= first.number && number <= last.number);
    if (isOne) {
      await this.#requirePicture(rowsIn, isIn);
      if (!begin) throw notExact(because('cut_start_without_key_frame'));
      const samples = await encoded(begin, undefined, [fromTicks, toTicks], 0);
      for (const row of rowsIn) changed.set(row.number, row === first ? samples : []);
      return { ...range, changed, merged: withParameterSets(track, configs) };
    }
    const lead = (await this.#until(first, entry)).filter(isIn);
    if (lead.length > 0 && !begin) throw notExact(because('cut_start_without_key_frame'));
    const head =
      lead.length > 0 && begin ? await encoded(begin, entry, [fromTicks, entry.ptsTicks], delayOf(entry)) : [];
    const rest = await this.#between(exit, undefined, endRow);
    const count = rest.filter(({ ptsTicks }) => ptsTicks < toTicks).length;
    const isPrefix = rest.slice(0, count).every(({ ptsTicks }) => ptsTicks < toTicks);
    const tail = isPrefix ? [] : await encoded(exit, undefined, [exit.ptsTicks, toTicks], delayOf(exit));
    const end = isPrefix ? rest[count] : exit;
    for (const row of rowsIn) {
      const hasHead = range.fromMs !== undefined && row.number <= entry.row;
      const hasTail = range.toMs !== undefined && row.number >= exit.row;
      if (!hasHead && !hasTail) continue;
      const kept = (await this.#samplesOf(row)).filter(
        (one) => !isBefore(one, entry) && (end === undefined || isBefore(one, end)),
      );
      changed.set(row.number, [...(row === first ? head : []), ...kept, ...(row.number === exit.row ? tail : [])]);
    }
    return { ...range, changed, merged: withParameterSets(track, configs) };
  }

  /** Throws `media_unreadable` if no picture of a range is left. */
  async #requirePicture(rows: readonly ArchiveRow[], isIn: (sample: Sample) => boolean): Promise<void> {
    for (const row of rows) if ((await this.#samplesOf(row)).some(isIn)) return;
    throw new ExportFailure('media_unreadable', because('range_unreadable'));
  }

  async #replaced(row: ArchiveRow, isFirst: boolean, range: CutRange | undefined): Promise<ArchiveRow> {
    const merged = range?.merged;
    const changed = range?.changed.get(row.number);
    const { startMs, endMs } = this.#time;
    const chunks: RowChunks[] = [];
    const chosen = this.#choice.of(row);
    const bytes = await readIntact(chosen);
    // Lost media becomes a gap when it is written.
    if (!bytes) return this.#limited({ ...row, chunks: chosen }, isFirst);
    for (const [index, one] of chosen.entries()) {
      const { track } = one;
      const samples = samplesOf(bytes[index] ?? new Uint8Array(0));
      const [fromTicks, toTicks] = [this.#ticks(startMs, track), this.#ticks(endMs, track)];
      const overlaps = ({ ptsTicks, durationTicks }: Sample): boolean =>
        ptsTicks + durationTicks > fromTicks && ptsTicks < toTicks;
      const isCutHere = merged && changed && track.id === merged.id;
      const chunk = isCutHere
        ? chunkOf(merged, changed)
        : track.content === 'audio'
          ? chunkOf(track, [...(isFirst ? await this.#soundBefore(row, track) : []), ...samples].filter(overlaps))
          : one;
      if (chunk) chunks.push(chunk);
    }
    return this.#limited({ ...row, chunks }, isFirst);
  }

  /** Row with only the samples inside the cut. */
  #limited(row: ArchiveRow, isFirst: boolean): ArchiveRow {
    const { startMs, endMs } = this.#time;
    return {
      ...row,
      startMs: Math.max(row.startMs, startMs),
      endMs: Math.min(row.endMs, endMs),
      isCut: row.isCut && !isFirst,
    };
  }

  /** Audio of the previous row, whose last frame may extend into the first row. */
  async #soundBefore(first: ArchiveRow, track: Track): Promise<readonly Sample[]> {
    const row = this.#rows.find(({ number }) => number === first.number - 1);
    const sound = row && !first.isCut && row.chunks.find((one) => one.track.id === track.id);
    if (!sound || !isSameConfig(sound.track, track)) return [];
    const [bytes] = (await readIntact([sound])) ?? [];
    return bytes ? samplesOf(bytes) : [];
  }

  #videoOf(row: ArchiveRow): RowChunks | undefined {
    return this.#choice.of(row).find(({ track }) => track.content === 'video');
  }

  /** Nearest matching sample, after or before a row. Undefined if there is none up to the next change of format. */
  async #find(from: ArchiveRow, step: 1 | -1, fits: (sample: Sample) => boolean): Promise<LocatedSample | undefined> {
    const config = this.#videoOf(from)?.track;
    for (let at = this.#rows.indexOf(from); at >= 0 && at < this.#rows.length; at += step) {
      const row = this.#rows[at];
      const track = row && this.#videoOf(row)?.track;
      if (!row || (config && track && !isSameConfig(config, track))) return undefined;
      const samples = await this.#samplesOf(row);
      const found = step === 1 ? samples.find(fits) : samples.findLast(fits);
      if (found) return found;
    }
    return undefined;
  }

  /** Samples in decoding order between two samples, or up to a row. */
  async #between(
    from: LocatedSample,
    to: LocatedSample | undefined,
    endRow = Infinity,
  ): Promise<readonly LocatedSample[]> {
    const found: LocatedSample[] = [];
    for (const row of this.#rows) {
      if (row.number < from.row || row.number > (to?.row ?? endRow)) continue;
      found.push(...(await this.#samplesOf(row)).filter((one) => !isBefore(one, from) && (!to || isBefore(one, to))));
    }
    return found;
  }

  async #until(first: ArchiveRow, to: LocatedSample): Promise<readonly LocatedSample[]> {
    const [begin] = await this.#samplesOf(first);
    return begin ? this.#between(begin, to) : [];
  }

  async #samplesOf(row: ArchiveRow): Promise<readonly LocatedSample[]> {
    const cached = this.#samples.get(row.number);
    if (cached) return cached;
    const video = this.#videoOf(row);
    const [bytes] = (video && (await readIntact([video]))) ?? [];
    const samples = bytes ? samplesOf(bytes).map((one, index) => ({ ...one, row: row.number, index })) : [];
    this.#samples.set(row.number, samples);
    return samples;
  }

  /** First tick at or after a time. */
  #ticks(ms: number, { timescale }: Track): number {
    const ticks = convertTicks(ms, 1000, timescale);
    return ticks * 1000 < ms * timescale ? ticks + 1 : ticks;
  }
}

/** If both ends have the same format, gives each the parameter sets of both. */
function inOneEntry(ranges: readonly CutRange[]): readonly CutRange[] {
  const [head, tail] = ranges;
  if (!head || !tail || !isSameConfig(head.track, tail.track)) return ranges;
  const merged = withParameterSets(head.merged, [tail.merged.decoderConfig]);
  return [
    { ...head, merged },
    { ...tail, merged },
  ];
}

function isBefore(one: LocatedSample, other: LocatedSample): boolean {
  return one.row < other.row || (one.row === other.row && one.index < other.index);
}

/** Presentation minus decoding time of a picture. */
function delayOf({ ptsTicks, dtsTicks }: Sample): number {
  return ptsTicks - dtsTicks;
}

function isSameConfig(a: Track, b: Track): boolean {
  return Buffer.compare(a.decoderConfig, b.decoderConfig) === 0;
}

function notExact(why: Explained): ExportFailure {
  return new ExportFailure('export_not_exact', why);
}
