import { MAX_BREAK_MS, sectionOfBase64, sectionOfHex } from '../../scte35/made-splice.ts';
import { AttributeList } from './attribute-list.ts';

/**
 * A mark before a segment: EXT-X-CUE-OUT, EXT-X-CUE-OUT-CONT, EXT-X-CUE-IN, EXT-OATCLS-SCTE35, EXT-X-SCTE35, EXT-X-SPLICEPOINT-SCTE35. None of them is in
 * RFC 8216bis; encoders and packagers agree about them.
 */
export interface SpliceMark {
  /** A break starts, goes on or ends with the segment; or a section alone, which says that itself; or what cannot be read. */
  readonly kind: 'out' | 'continued' | 'in' | 'section' | 'damaged';
  /** Length of the break in milliseconds, where it is said. */
  readonly durationMs?: number;
  /** How much of the break is over, in milliseconds. */
  readonly elapsedMs?: number;
  /** Id of the break, where it is a number of 32 bits. */
  readonly eventId?: number;
  /** The splice information section. Its CRC is not looked at. */
  readonly section?: Uint8Array;
}

/** EXT-X-DATERANGE with a section (RFC 8216bis 4.4.5.1.1). */
export interface SpliceDateRange {
  readonly id: string;
  /** START-DATE in epoch milliseconds. */
  readonly startMs: number;
  /** DURATION, or END-DATE from the start, in milliseconds. */
  readonly durationMs?: number;
  /** SCTE35-OUT, SCTE35-IN and SCTE35-CMD; `damaged` where there is one that cannot be read. Their CRC is not looked at. */
  readonly out?: Uint8Array | 'damaged';
  readonly in?: Uint8Array | 'damaged';
  readonly cmd?: Uint8Array | 'damaged';
}

/** Marks that one segment may have; more are left unread. */
const MAX_MARKS = 8;
/** Date ranges with sections that one playlist may have; later ones are left unread. */
const MAX_DATE_RANGES = 512;
/** Characters of an ID; a longer one is cut off. */
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

/** Gathers the splice marks of a playlist: those before each segment, and the date ranges of the whole. */
export class SpliceMarks {
  readonly dateRanges: SpliceDateRange[] = [];
  /** Starts by ID: a later tag of a range need not repeat it. */
  readonly #starts = new Map<string, number>();
  #marks: SpliceMark[] = [];

  /** Takes a tag, where it is one with a splice point. */
  tag(name: string, value: string): void {
    if (name === '#EXT-X-DATERANGE') this.#dateRange(value);
    else if (this.#marks.length < MAX_MARKS) {
      const mark = markOf(name, value.trim());
      if (mark) this.#marks.push(mark);
    }
  }

  /** The marks before the segment that is added now. */
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

/** `30`, `30.000`, `DURATION=30,BREAKID=7`, or nothing at all. */
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

/** EXT-X-SCTE35: CUE has the section, CUE-OUT and CUE-IN say what it does, DURATION and ELAPSED are seconds. */
function scte35Of(value: string): SpliceMark {
  const section = sectionOfBase64(fieldOf(value, 'CUE') ?? '');
  if (!section) return DAMAGED;
  const [out, back] = [fieldOf(value, 'CUE-OUT')?.toUpperCase(), fieldOf(value, 'CUE-IN')?.toUpperCase()];
  const durationMs = millisecondsOf(fieldOf(value, 'DURATION') ?? '');
  const elapsedMs = millisecondsOf(fieldOf(value, 'ELAPSED') ?? '');
  const rest = { section, ...durations(durationMs), ...(elapsedMs === undefined ? {} : { elapsedMs }) };
  if (out === 'CONT') return { kind: 'continued', ...rest };
  return { kind: out === 'YES' ? 'out' : back === 'YES' ? 'in' : 'section', ...rest };
}

function durations(durationMs: number | undefined): { durationMs?: number } {
  return durationMs === undefined ? {} : { durationMs };
}

function eventIdIn(text: string | undefined): { eventId?: number } {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? { eventId: Number(text) } : {};
}

/** A field of a list, whose names are written in any case: these tags have no grammar that all keep to. */
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
