import { MAX_BREAK_MS, sectionOfBase64, sectionOfHex } from '../../scte35/splice-section.ts';
import { AttributeList } from './attribute-list.ts';

/**
 * Mark before a segment: EXT-X-CUE-OUT, EXT-X-CUE-OUT-CONT, EXT-X-CUE-IN, EXT-OATCLS-SCTE35, EXT-X-SCTE35,
 * EXT-X-SPLICEPOINT-SCTE35. None of them is in RFC 8216bis; they are conventions of encoders and packagers.
 */
export interface SpliceMark {
  /**
   * A break starts, continues or ends with the segment; or the mark has only a section, which states its meaning; or the mark
   * cannot be read.
   */
  readonly kind: 'out' | 'continued' | 'in' | 'section' | 'damaged';
  /** Duration of the break in milliseconds, if stated. */
  readonly durationMs?: number;
  /** Elapsed part of the break, in milliseconds. */
  readonly elapsedMs?: number;
  /** Id of the break, if it is a 32-bit number. */
  readonly eventId?: number;
  /** Splice information section. Its CRC is not checked. */
  readonly section?: Uint8Array;
}

/** EXT-X-DATERANGE with a section (RFC 8216bis 4.4.5.1.1). */
export interface SpliceDateRange {
  readonly id: string;
  /** START-DATE in epoch milliseconds. */
  readonly startMs: number;
  /** DURATION, or END-DATE from the start, in milliseconds. */
  readonly durationMs?: number;
  /** SCTE35-OUT, SCTE35-IN and SCTE35-CMD; `damaged` for an unreadable one. Their CRC is not checked. */
  readonly out?: Uint8Array | 'damaged';
  readonly in?: Uint8Array | 'damaged';
  readonly cmd?: Uint8Array | 'damaged';
}

/** Maximum number of marks of a segment; more are ignored. */
const MAX_MARKS = 8;
/** Maximum number of date ranges with sections in a playlist; later ones are ignored. */
const MAX_DATE_RANGES = 512;
/** Maximum characters of an ID; a longer one is cut off. */
const MAX_ID_CHARACTERS = 256;

const DAMAGED: SpliceMark = { kind: 'damaged' };

const TAGS: ReadonlySet<string> = new Set([
  '#EXT-X-DATERANGE',
  '#EXT-X-CUE-OUT',
  '#EXT-X-CUE-OUT-CONT',
  '#EXT-X-CUE-IN',
  '#EXT-OATCLS-SCTE35',
  '#EXT-X-SPLICEPOINT-SCTE35',
  '#EXT-X-SCTE35',
]);

/** Whether a tag may mark a splice point. */
export function isSpliceTag(name: string): boolean {
  return TAGS.has(name);
}

/** Collects the splice marks of a playlist: those before each segment, and all date ranges. */
export class SpliceMarks {
  readonly dateRanges: SpliceDateRange[] = [];
  /** Start times by ID, because a later tag of a range need not repeat the start. */
  readonly #starts = new Map<string, number>();
  #marks: SpliceMark[] = [];

  /** Processes a tag if it marks a splice point. */
  tag(name: string, value: string): void {
    if (name === '#EXT-X-DATERANGE') this.#dateRange(value);
    else if (this.#marks.length < MAX_MARKS) {
      const mark = markOf(name, value.trim());
      if (mark) this.#marks.push(mark);
    }
  }

  /** Takes the marks before the segment being added. */
  take(): readonly SpliceMark[] {
    if (this.#marks.length === 0) return this.#marks;
    const marks = this.#marks;
    this.#marks = [];
    return marks;
  }

  #dateRange(value: string): void {
    if (this.dateRanges.length >= MAX_DATE_RANGES || !value.includes('SCTE35-')) return;
    const attributes = AttributeList.parse(value);
    const [out, back, cmd] = ['SCTE35-OUT', 'SCTE35-IN', 'SCTE35-CMD'].map((name) => sectionIn(attributes, name));
    const id = attributes.text('ID')?.slice(0, MAX_ID_CHARACTERS);
    const startMs = dateOf(attributes.text('START-DATE')) ?? this.#starts.get(id ?? '');
    if (id === undefined || startMs === undefined || (!out && !back && !cmd)) return;
    this.#starts.set(id, startMs);
    const endMs = dateOf(attributes.text('END-DATE'));
    const durationMs = attributes.milliseconds('DURATION') ?? (endMs === undefined ? undefined : endMs - startMs);
    const hasDuration = durationMs !== undefined && durationMs >= 0 && durationMs <= MAX_BREAK_MS;
    this.dateRanges.push({
      id,
      startMs,
      ...(hasDuration ? { durationMs } : {}),
      ...(out ? { out } : {}),
      ...(back ? { in: back } : {}),
      ...(cmd ? { cmd } : {}),
    });
  }
}

function markOf(name: string, value: string): SpliceMark | undefined {
  switch (name) {
    case '#EXT-X-CUE-OUT':
      return outOf(value);
    case '#EXT-X-CUE-OUT-CONT':
      return continuedOf(value);
    case '#EXT-X-CUE-IN':
      return { kind: 'in' };
    case '#EXT-OATCLS-SCTE35':
    case '#EXT-X-SPLICEPOINT-SCTE35': {
      const section = sectionOfBase64(value);
      return section ? { kind: 'section', section } : DAMAGED;
    }
    case '#EXT-X-SCTE35':
      return scte35Of(value);
    default:
      return undefined;
  }
}

/** `30`, `30.000`, `DURATION=30,BREAKID=7`, or empty. */
function outOf(value: string): SpliceMark {
  if (value === '') return { kind: 'out' };
  const stated = fieldOf(value, 'DURATION') ?? (value.includes('=') ? undefined : value);
  const durationMs = stated === undefined ? undefined : millisecondsOf(stated);
  if (stated !== undefined && durationMs === undefined) return DAMAGED;
  return { kind: 'out', ...durations(durationMs), ...eventIdIn(fieldOf(value, 'BREAKID') ?? fieldOf(value, 'ID')) };
}

/** `8.308/30`, or `ElapsedTime=8.308,Duration=30,SCTE35=…`. */
function continuedOf(value: string): SpliceMark {
  const [elapsed, duration] = value.includes('=')
    ? [fieldOf(value, 'ELAPSEDTIME') ?? fieldOf(value, 'ELAPSED'), fieldOf(value, 'DURATION')]
    : value.split('/', 2);
  const elapsedMs = elapsed === undefined ? undefined : millisecondsOf(elapsed);
  const durationMs = duration === undefined ? undefined : millisecondsOf(duration);
  const section = sectionOfBase64(fieldOf(value, 'SCTE35') ?? '');
  return {
    kind: 'continued',
    ...durations(durationMs),
    ...(elapsedMs === undefined ? {} : { elapsedMs }),
    ...(section ? { section } : {}),
  };
}

/** EXT-X-SCTE35: CUE has the section, CUE-OUT and CUE-IN its effect, DURATION and ELAPSED are seconds. */
function scte35Of(value: string): SpliceMark {
  const section = sectionOfBase64(fieldOf(value, 'CUE') ?? '');
  if (!section) return DAMAGED;
  const [out, back] = [fieldOf(value, 'CUE-OUT')?.toUpperCase(), fieldOf(value, 'CUE-IN')?.toUpperCase()];
  const durationMs = millisecondsOf(fieldOf(value, 'DURATION') ?? '');
  const elapsedMs = millisecondsOf(fieldOf(value, 'ELAPSED') ?? '');
  const details = { section, ...durations(durationMs), ...(elapsedMs === undefined ? {} : { elapsedMs }) };
  if (out === 'CONT') return { kind: 'continued', ...details };
  return { kind: out === 'YES' ? 'out' : back === 'YES' ? 'in' : 'section', ...details };
}

function durations(durationMs: number | undefined): { durationMs?: number } {
  return durationMs === undefined ? {} : { durationMs };
}

function eventIdIn(text: string | undefined): { eventId?: number } {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? { eventId: Number(text) } : {};
}

/** Field of a list with case-insensitive names: splice tags have no common grammar. */
function fieldOf(value: string, name: string): string | undefined {
  for (const field of value.split(',', 32)) {
    const equals = field.indexOf('=');
    if (equals > 0 && field.slice(0, equals).trim().toUpperCase() === name)
      return field
        .slice(equals + 1)
        .trim()
        .replace(/^"|"$/g, '');
  }
  return undefined;
}

function millisecondsOf(text: string): number | undefined {
  if (!/^\s*\d{1,9}(\.\d{0,12})?\s*$/.test(text)) return undefined;
  const ms = Math.round(Number(text) * 1000);
  return ms <= MAX_BREAK_MS ? ms : undefined;
}

function sectionIn(attributes: AttributeList, name: string): Uint8Array | 'damaged' | undefined {
  const text = attributes.text(name);
  return text === undefined ? undefined : (sectionOfHex(text) ?? 'damaged');
}

function dateOf(text: string | undefined): number | undefined {
  const epochMs = text === undefined ? Number.NaN : Date.parse(text.trim());
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
