import { AttributeList, parseInteger, parseMilliseconds } from './attribute-list.ts';
import { parseByteRange } from './byte-range.ts';
import type { PlaylistByteRange } from './byte-range.ts';
import type { InitSection, MediaPlaylist, PlaylistPart, PlaylistSegment, ServerControl } from './media-playlist.ts';
import { LINES_PER_STEP, ownCopy } from './playlist-lines.ts';
import type { PlaylistVariables } from './playlist-variables.ts';
import { segmentKeyOf } from './segment-key.ts';
import type { SegmentKey } from './segment-key.ts';
import { isSpliceTag, SpliceMarks } from './splice-mark.ts';

/** Maximum number of segments of a playlist: two days of two-second segments. Later ones are ignored. */
const MAX_SEGMENTS = 86_400;

/** Maximum number of parts of a segment. */
const MAX_PARTS = 1000;
/** Maximum number of keys in different formats in force at once. */
const MAX_KEYS = 16;
const DEFAULT_TARGET_MS = 10_000;

/** Parses the lines of a media playlist. Damaged and unknown lines are skipped. */
export function* parseMedia(lines: readonly string[], variables: PlaylistVariables): Generator<void, MediaPlaylist> {
  const parser = new MediaParser(variables);
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#')) parser.tag(line);
    else parser.uri(line);
    if (index % LINES_PER_STEP === 0) yield;
  }
  return parser.finish();
}

class MediaParser {
  readonly #variables: PlaylistVariables;
  readonly #segments: PlaylistSegment[] = [];
  readonly #splices = new SpliceMarks();
  #targetMs: number | undefined;
  #partTargetMs: number | undefined;
  #mediaSequence: number | undefined;
  #discontinuitySequence: number | undefined;
  #isEnded = false;
  #serverControl: ServerControl = { canBlockReload: false };
  #skipped = 0;
  /** State that applies to all later segments. */
  #keys: readonly SegmentKey[] = [];
  /** True while a key of another format is added to the current keys, because no segment has followed the last key. */
  #isKeyGroupOpen = false;
  #map: InitSection | undefined;
  #discontinuities = 0;
  #nextStartMs: number | undefined;
  /** State that applies to the next segment only. */
  #durationMs: number | undefined;
  #rangeText: string | undefined;
  #isGap = false;
  #parts: PlaylistPart[] = [];
  /** Resource and end of the last range, after which a range without an offset starts. */
  #lastUri = '';
  #lastRange: PlaylistByteRange | undefined;
  #lastPartUri = '';
  #lastPartRange: PlaylistByteRange | undefined;

  constructor(variables: PlaylistVariables) {
    this.#variables = variables;
  }

  tag(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1);
    switch (name) {
      case '#EXTINF':
        this.#durationMs = parseMilliseconds(value.split(',', 1)[0]);
        break;
      case '#EXT-X-BYTERANGE':
        this.#rangeText = value;
        break;
      case '#EXT-X-DISCONTINUITY':
        this.#discontinuities++;
        this.#nextStartMs = undefined;
        break;
      case '#EXT-X-GAP':
        this.#isGap = true;
        break;
      case '#EXT-X-PROGRAM-DATE-TIME':
        this.#nextStartMs = parseDate(value) ?? this.#nextStartMs;
        break;
      case '#EXT-X-KEY':
        this.#key(this.#attributes(value));
        break;
      case '#EXT-X-MAP':
        this.#setMap(this.#attributes(value));
        break;
      case '#EXT-X-PART':
        this.#part(this.#attributes(value));
        break;
      default:
        this.#head(name, value);
    }
  }

  uri(line: string): void {
    const uri = ownCopy(this.#variables.replace(line));
    const following =
      this.#lastUri === uri && this.#lastRange ? this.#lastRange.offsetBytes + this.#lastRange.lengthBytes : 0;
    const range = this.#rangeText === undefined ? undefined : parseByteRange(this.#rangeText, following);
    this.#lastUri = uri;
    this.#lastRange = range;
    // An address without EXTINF, or with an unreadable range, is still a segment: the numbers of later ones depend on it.
    this.#add(this.#durationMs ?? sumOf(this.#parts), uri, range);
  }

  finish(): MediaPlaylist {
    if (this.#parts.length > 0 && !this.#isEnded) this.#add(sumOf(this.#parts));
    const longestMs = this.#segments.reduce((longest, segment) => Math.max(longest, segment.durationMs), 0);
    const partTargetMs = this.#partTargetMs;
    const discontinuitySequence = this.#discontinuitySequence;
    const { dateRanges } = this.#splices;
    return {
      kind: 'media',
      targetMs: this.#targetMs || longestMs || DEFAULT_TARGET_MS,
      ...(partTargetMs === undefined ? {} : { partTargetMs }),
      mediaSequence: this.#mediaSequence ?? 0,
      ...(this.#mediaSequence === undefined ? { isUnnumbered: true } : {}),
      ...(discontinuitySequence === undefined ? {} : { discontinuitySequence }),
      isEnded: this.#isEnded,
      serverControl: this.#serverControl,
      segments: this.#segments,
      skippedSegments: this.#skipped,
      ...(dateRanges.length === 0 ? {} : { dateRanges }),
    };
  }

  #head(name: string, value: string): void {
    switch (name) {
      case '#EXT-X-TARGETDURATION':
        // The standard requires an integer, but some servers write decimals.
        this.#targetMs = parseMilliseconds(value);
        break;
      case '#EXT-X-PART-INF':
        this.#partTargetMs = this.#attributes(value).milliseconds('PART-TARGET') || undefined;
        break;
      case '#EXT-X-MEDIA-SEQUENCE':
        this.#mediaSequence = parseInteger(value) ?? 0;
        break;
      case '#EXT-X-DISCONTINUITY-SEQUENCE':
        this.#discontinuitySequence = parseInteger(value);
        break;
      case '#EXT-X-SERVER-CONTROL':
        this.#serverControl = serverControlOf(this.#attributes(value));
        break;
      case '#EXT-X-SKIP':
        this.#skipped = this.#attributes(value).integer('SKIPPED-SEGMENTS') ?? 0;
        break;
      case '#EXT-X-DEFINE':
        this.#variables.define(this.#attributes(value));
        break;
      case '#EXT-X-ENDLIST':
        this.#isEnded = true;
        break;
      default:
        if (isSpliceTag(name)) this.#splices.tag(name, this.#variables.replace(value));
    }
  }

  #attributes(value: string): AttributeList {
    return AttributeList.parse(this.#variables.replace(value));
  }

  #key(attributes: AttributeList): void {
    const key = segmentKeyOf(attributes);
    if (key === undefined) this.#keys = [];
    else if (!this.#isKeyGroupOpen) this.#keys = [key];
    else this.#keys = [...this.#keys.filter((other) => other.format !== key.format), key].slice(-MAX_KEYS);
    this.#isKeyGroupOpen = key !== undefined;
  }

  #setMap(attributes: AttributeList): void {
    const uri = attributes.text('URI');
    if (uri === undefined) return;
    const range = parseByteRange(attributes.text('BYTERANGE'), 0);
    this.#map = { uri, ...(range ? { range } : {}), keys: this.#keys };
  }

  #part(attributes: AttributeList): void {
    const uri = attributes.text('URI');
    const durationMs = attributes.milliseconds('DURATION');
    if (uri === undefined || durationMs === undefined || this.#parts.length >= MAX_PARTS) return;
    const following =
      this.#lastPartUri === uri && this.#lastPartRange
        ? this.#lastPartRange.offsetBytes + this.#lastPartRange.lengthBytes
        : 0;
    const range = parseByteRange(attributes.text('BYTERANGE'), following);
    this.#lastPartUri = uri;
    this.#lastPartRange = range;
    const [isIndependent, isGap] = [attributes.isYes('INDEPENDENT'), attributes.isYes('GAP')];
    this.#parts.push({ uri, durationMs, ...(range ? { range } : {}), isIndependent, isGap });
  }

  #add(durationMs: number, uri?: string, range?: PlaylistByteRange): void {
    const marks = this.#splices.take();
    if (this.#segments.length < MAX_SEGMENTS) {
      const startMs = this.#nextStartMs;
      const map = this.#map;
      this.#segments.push({
        msn: (this.#mediaSequence ?? 0) + this.#skipped + this.#segments.length,
        durationMs,
        ...(uri === undefined ? {} : { uri }),
        ...(range === undefined ? {} : { range }),
        keys: this.#keys,
        ...(map === undefined ? {} : { map }),
        discontinuities: this.#discontinuities,
        isGap: this.#isGap,
        ...(startMs === undefined ? {} : { startMs }),
        parts: this.#parts,
        ...(marks.length === 0 ? {} : { marks }),
      });
    }
    if (this.#nextStartMs !== undefined) this.#nextStartMs += durationMs;
    this.#durationMs = undefined;
    this.#rangeText = undefined;
    this.#isGap = false;
    this.#isKeyGroupOpen = false;
    this.#parts = [];
  }
}

function serverControlOf(attributes: AttributeList): ServerControl {
  const holdBackMs = attributes.milliseconds('HOLD-BACK');
  const partHoldBackMs = attributes.milliseconds('PART-HOLD-BACK');
  return {
    canBlockReload: attributes.isYes('CAN-BLOCK-RELOAD'),
    ...(holdBackMs === undefined ? {} : { holdBackMs }),
    ...(partHoldBackMs === undefined ? {} : { partHoldBackMs }),
  };
}

function sumOf(parts: readonly PlaylistPart[]): number {
  return parts.reduce((sum, part) => sum + part.durationMs, 0);
}

function parseDate(text: string): number | undefined {
  const epochMs = Date.parse(text.trim());
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
