import { join } from 'node:path';
import { allUnitsOf, type Content, type ShownUnit } from './numbered-media.ts';

/** Duration of a picture and of an audio unit of numbered media, in milliseconds. */
export const FRAME_MS = 40;
export const UNIT_MS = 1024 / 48;
/** Maximum offset of audio from the pictures with which it was created. */
export const MAX_OFFSET_MS = 40;
const PROGRAMME = 'programme';
/** Maximum number of ranges that a leaving viewer loaded of one track but not of the other: those of a break with two clips. */
const MAX_RANGES_AHEAD = 3;

/** Consecutive units of one origin. */
export interface Range {
  readonly name: string;
  readonly first: number;
  count: number;
  readonly startMs: number;
  endMs: number;
}

interface UnitPlace {
  readonly name: string;
  readonly index: number;
}

/** Origin and position of each picture and each audio unit, identified by its bytes. */
export class KnownUnits {
  readonly #places = {
    v: new Map<string, UnitPlace>(),
    vc: new Map<string, UnitPlace>(),
    a: new Map<string, UnitPlace>(),
  };

  /**
   * Reads `programme.mp4` and the clips of a folder; fails if two units are equal.
   *
   * @param sounds number of audio tracks of the programme
   */
  static async read(folder: string, clips: readonly { readonly name: string }[], sounds = 1): Promise<KnownUnits> {
    const all = new KnownUnits();
    const names = [PROGRAMME, ...clips.map((clip) => clip.name)];
    const requested = names.flatMap((name) => {
      const file = join(folder, `${name}.mp4`);
      const tracks = Array.from({ length: name === PROGRAMME ? sounds : 1 }, (_, track) => track);
      return [
        ...(['v', 'vc'] as const).map((content) => ({ name, file, content, track: 0 })),
        ...tracks.map((track) => ({ name, file, content: 'a' as const, track })),
      ];
    });
    const found = await allUnitsOf(requested);
    for (const [index, { content, name }] of requested.entries()) all.#add(content, name, found[index] ?? []);
    return all;
  }

  #add(content: Content, name: string, units: readonly ShownUnit[]): void {
    for (const [index, { digest }] of units.entries()) {
      const same = this.#places[content].get(digest);
      // After the end of the audio, the encoder may repeat the last unit.
      if (same?.name === name && index === units.length - 1) continue;
      if (same) throw new Error(`${index} of ${name} is not unique`);
      this.#places[content].set(digest, { name, index });
    }
  }

  /** Ranges of units that were shown; fails if a picture or audio unit is unknown. */
  rangesOf(units: readonly ShownUnit[], content: Content): Range[] {
    const all: Range[] = [];
    const lengthMs = content === 'a' ? UNIT_MS : FRAME_MS;
    for (const { digest, ms } of units) {
      const position = this.#places[content].get(digest);
      if (!position) throw new Error(`the unit at ${ms} ms belongs to no file`);
      const last = all.at(-1);
      if (last?.name === position.name && position.index === last.first + last.count) {
        last.count++;
        last.endMs = ms + lengthMs;
      } else all.push({ name: position.name, first: position.index, count: 1, startMs: ms, endMs: ms + lengthMs });
    }
    return all;
  }
}

/** Expected breaks. */
export interface ExpectedBreaks {
  readonly form: 'separate' | 'in_place';
  /** Clips of a break in order, with their durations in seconds. */
  readonly clips: readonly { readonly name: string; readonly seconds: number }[];
  readonly segmentMs: number;
  /**
   * Whether the viewer may have joined during a break, as on a busy machine: the first clip is then any clip of the
   * break, from any frame.
   */
  readonly mayJoinInBreak?: boolean;
}

/**
 * Checks that the ranges are the main stream with breaks: no picture of the stream is repeated or missing, and clips
 * are in order and start with their first picture.
 *
 * @returns number of breaks
 */
export function checkOrder(
  all: readonly Range[],
  { form, clips, segmentMs, mayJoinInBreak = false }: ExpectedBreaks,
): number {
  const segmentFrames = segmentMs / FRAME_MS;
  let breaks = 0;
  let [endFrame, awayFrames, inBreak] = [0, 0, 0];
  let isFirst = true;
  for (const [index, { name, first, count }] of all.entries()) {
    const isLast = index === all.length - 1;
    if (name === PROGRAMME) {
      // A break replaces the stream: afterwards the viewer is at the same position as other viewers, or less than a
      // segment later.
      const lagFrames = awayFrames - (first - endFrame);
      const [minLag, maxLag] = form === 'in_place' ? [0, 0] : [1 - segmentFrames, segmentFrames - 1];
      // A viewer on a busy machine may have joined during a break, so the first pictures of the stream have no
      // predecessor.
      if (!isFirst) ensure(lagFrames >= minLag && lagFrames <= maxLag, `${lagFrames} frames behind at frame ${first}`);
      ensure(first >= endFrame, `frame ${first} comes after ${endFrame - 1}`);
      [endFrame, awayFrames, inBreak, isFirst] = [first + count, 0, 0, false];
      continue;
    }
    const isJoined = mayJoinInBreak && index === 0;
    if (isJoined)
      inBreak = Math.max(
        0,
        clips.findIndex((clip) => clip.name === name),
      );
    const expected = clips[inBreak++ % clips.length];
    if (name !== expected?.name || (first !== 0 && !isJoined)) {
      const ranges = all.map((one) => `${one.name} ${one.first}+${one.count}`).join(', ');
      throw new Error(`frame ${first} of ${name} where ${expected?.name} should start, in ${ranges}`);
    }
    if (inBreak === 1 && first === 0) breaks++;
    awayFrames += count;
    // A clip is complete, or its break ends during the clip.
    const isComplete = first + count === expected.seconds * 25;
    if (!isComplete && !isLast)
      ensure(all[index + 1]?.name === PROGRAMME && count % 25 === 0, `${count} frames of ${name} end in a break`);
  }
  return breaks;
}

/**
 * Checks that audio is synchronous: it comes from the same origin as the pictures, starts and ends with each range of pictures,
 * and has the same times.
 *
 * @param hasTimes whether both have the times of one timeline
 * @param areAligned true if pictures and audio start and end together; otherwise the start of the first range and the end of the
 * last one are not checked, and one of the two may end up to a break earlier
 * @returns the maximum distance of audio from its picture, in milliseconds
 */
export function checkSteps(
  visible: readonly Range[],
  audible: readonly Range[],
  { hasTimes, areAligned }: { readonly hasTimes: boolean; readonly areAligned: boolean },
): number {
  // If the audio of the last clip is shorter than its pictures, the first audio unit of the next range is shown for
  // less than a picture.
  const all = audible.filter(({ count }, index) => count > 1 || audible[index + 1]?.name !== PROGRAMME);
  // A viewer loads one track after the other. On a busy machine, one track may have one more break than the other when
  // the viewer leaves.
  const isFarAhead = Math.abs(visible.length - all.length) > MAX_RANGES_AHEAD;
  // One track may also start a range or two later.
  const late = areAligned ? 0 : rangesLater(visible, all);
  const [seen, sounded] = [visible.slice(Math.max(0, late)), all.slice(Math.max(0, -late))];
  const common = areAligned || isFarAhead ? Infinity : Math.min(seen.length, sounded.length);
  const [pictures, sounds] = [seen.slice(0, common), sounded.slice(0, common)];
  const [pictureNames, soundNames] = [pictures, sounds].map((some) => some.map(({ name }) => name).join(' '));
  const detail = sounds.map(({ name, first, count }) => `${name} ${first}+${count}`).join(', ');
  ensure(pictureNames === soundNames, `sound of ${detail} with pictures of ${pictureNames}`);
  let worstMs = 0;
  for (const [index, sound] of sounds.entries()) {
    const picture = pictures[index] as Range;
    // Both tracks have the same time of the same file at the start and the end of each range. The encoder starts with
    // an inaudible unit.
    const startOffset = (sound.first - 1) * UNIT_MS - picture.first * FRAME_MS;
    const end = (sound.first - 1 + sound.count) * UNIT_MS - (picture.first + picture.count) * FRAME_MS;
    const step = sound.startMs - (sound.first - 1) * UNIT_MS - (picture.startMs - picture.first * FRAME_MS);
    const offsets = [
      ...(areAligned || index > 0 ? [startOffset] : []),
      ...(areAligned || index < sounds.length - 1 ? [end] : []),
      ...(hasTimes ? [step] : []),
    ];
    for (const distance of offsets)
      ensure(Math.abs(distance) <= MAX_OFFSET_MS, `sound is ${distance} ms from range ${index} of ${picture.name}`);
    if (hasTimes) worstMs = Math.max(worstMs, Math.abs(step));
  }
  return worstMs;
}

/** Number of ranges by which `audible` starts later than `visible`, negative if earlier: less than a break and the stream. */
function rangesLater(visible: readonly Range[], audible: readonly Range[]): number {
  const names = (ranges: readonly Range[], late: number): string[] =>
    ranges.slice(Math.max(0, late), Math.max(0, late) + 3).map(({ name }) => name);
  const found = [0, 1, -1, 2, -2].find((late) => String(names(visible, late)) === String(names(audible, -late)));
  return found ?? 0;
}

function ensure(isMet: boolean, what: string): void {
  if (!isMet) throw new Error(what);
}
