/** Segment of a media playlist, complete or open. */
interface ReadSegment {
  readonly msn: number;
  /** Absolute number of discontinuities up to and including this segment. */
  readonly discontinuity: number;
  readonly isDiscontinuity: boolean;
  readonly map: string;
  readonly isGap: boolean;
  readonly dateMs: number | undefined;
  /** Address of the segment; undefined while the segment is open. */
  readonly uri: string | undefined;
  readonly durationSeconds: number;
  readonly parts: readonly {
    readonly uri: string;
    readonly durationSeconds: number;
    readonly isIndependent: boolean;
    readonly isGap: boolean;
  }[];
}

/** Media playlist as understood by a strict client. */
export interface ReadPlaylist {
  readonly targetSeconds: number;
  readonly partTargetSeconds: number | undefined;
  readonly mediaSequence: number;
  readonly skipped: number;
  readonly segments: readonly ReadSegment[];
  readonly hint: string | undefined;
  readonly reports: ReadonlyMap<string, { readonly msn: number; readonly part: number }>;
  /** Attributes of each EXT-X-DATERANGE. */
  readonly dateRanges: readonly ReadonlyMap<string, string>[];
  readonly control: ReadonlyMap<string, string>;
  /** Start position in seconds from the first segment (EXT-X-START). */
  readonly startSeconds: number | undefined;
}

const ONCE = new Set([
  'VERSION',
  'TARGETDURATION',
  'MEDIA-SEQUENCE',
  'DISCONTINUITY-SEQUENCE',
  'SERVER-CONTROL',
  'PART-INF',
  'SKIP',
  'START',
  'PLAYLIST-TYPE',
  'PRELOAD-HINT',
  'ENDLIST',
]);

/** Tags whose attributes are checked. */
const WITH_ATTRIBUTES = new Set(['SKIP', 'MAP', 'PART', 'DATERANGE', 'RENDITION-REPORT']);
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * Parses a media playlist by RFC 8216bis; throws at the first error that a strict client may refuse.
 *
 * @param mayLackParts true after a crash of a thread, which may lose the last part of a segment; its duration is then
 * missing in the sum
 */
export function readStrictPlaylist(text: string, before?: ReadPlaylist, mayLackParts = false): ReadPlaylist {
  const lines = text.split('\n');
  ensure(lines.pop() === '', 'the last line has an end');
  ensure(lines.shift() === '#EXTM3U', 'EXTM3U is first');
  const values = new Map<string, string>();
  const segments: ReadSegment[] = [];
  const dateRanges: ReadonlyMap<string, string>[] = [];
  const reports = new Map<string, { msn: number; part: number }>();
  let open = newSegment();
  let map = '';
  let msn = 0;
  let discontinuity = 0;
  let skipped = 0;
  for (const line of lines) {
    ensure(line !== '' && line.trim() === line, `no blanks: ${line}`);
    if (!line.startsWith('#')) {
      ensure(open.durationSeconds > 0, `${line} comes after EXTINF`);
      segments.push(closed(open, line));
      open = newSegment();
      continue;
    }
    // A comment (4.1).
    if (line.startsWith('# ')) continue;
    const [, tag = '', value = ''] = /^#EXT(?:-X)?-?([A-Z-]+\d*)(?::(.*))?$/.exec(line) ?? [];
    ensure(tag !== '', `${line} is a tag`);
    if (ONCE.has(tag)) {
      ensure(!values.has(tag), `${tag} is there once`);
      values.set(tag, value);
    }
    const attributes = WITH_ATTRIBUTES.has(tag) ? readAttributes(value) : NO_ATTRIBUTES;
    switch (tag) {
      case 'MEDIA-SEQUENCE':
        msn = Number(value);
        break;
      case 'DISCONTINUITY-SEQUENCE':
        ensure(segments.length === 0, 'DISCONTINUITY-SEQUENCE comes before the segments');
        discontinuity = Number(value);
        break;
      case 'SKIP': {
        ensure(segments.length === 0, 'SKIP comes before the segments');
        skipped = Number(attributes.get('SKIPPED-SEGMENTS'));
        ensure(before !== undefined && skipped > 0, 'SKIP is for clients that have a playlist');
        for (const earlier of before?.segments ?? []) {
          if (earlier.msn < msn || earlier.msn >= msn + skipped) continue;
          ensure(earlier.uri !== undefined, `segment ${earlier.msn} is skipped and was complete`);
          segments.push({ ...earlier, parts: [] });
          discontinuity = earlier.discontinuity;
          map = earlier.map;
        }
        ensure(segments.length === skipped, `the ${skipped} skipped segments were there before`);
        break;
      }
      case 'DISCONTINUITY':
        ensure(!open.isDiscontinuity && open.parts.length === 0, 'DISCONTINUITY comes first');
        open.isDiscontinuity = true;
        break;
      case 'MAP':
        ensure(open.parts.length === 0, 'MAP comes before the parts');
        map = attributes.get('URI') ?? '';
        ensure(map !== '', 'MAP has a URI');
        break;
      case 'PROGRAM-DATE-TIME':
        ensure(open.parts.length === 0, 'the date comes before the parts');
        open.dateMs = Date.parse(value);
        ensure(new Date(open.dateMs).toISOString() === value, `${value} is a date`);
        break;
      case 'PART':
        ensure(values.has('PART-INF'), 'PART needs PART-INF');
        open.parts.push({
          uri: attributes.get('URI') ?? '',
          durationSeconds: Number(attributes.get('DURATION')),
          isIndependent: attributes.get('INDEPENDENT') === 'YES',
          isGap: attributes.get('GAP') === 'YES',
        });
        break;
      case 'DATERANGE':
        ensure(segments.length === 0 || skipped > 0, 'date ranges come before the segments');
        ensure(
          (attributes.get('ID') ?? '') !== '' && !Number.isNaN(Date.parse(attributes.get('START-DATE') ?? '')),
          `${value} has ID and START-DATE`,
        );
        dateRanges.push(attributes);
        break;
      case 'CUE-OUT':
      case 'CUE-OUT-CONT':
      case 'CUE-IN':
      case 'OATCLS-SCTE35':
        ensure(open.parts.length === 0, `${tag} comes before the parts`);
        break;
      case 'GAP':
        open.isGap = true;
        break;
      case 'INF':
        ensure(/^\d+(\.\d+)?,$/.test(value), `${value} is a duration`);
        open.durationSeconds = Number.parseFloat(value);
        break;
      case 'RENDITION-REPORT':
        reports.set(attributes.get('URI') ?? '', {
          msn: Number(attributes.get('LAST-MSN')),
          part: Number(attributes.get('LAST-PART')),
        });
        break;
      default:
        ensure(ONCE.has(tag), `${tag} is a tag that players know`);
    }
  }
  if (open.parts.length > 0 || open.isDiscontinuity) segments.push(closed(open, undefined));
  const playlist: ReadPlaylist = {
    targetSeconds: Number(values.get('TARGETDURATION')),
    partTargetSeconds: values.has('PART-INF')
      ? Number(readAttributes(values.get('PART-INF') ?? '').get('PART-TARGET'))
      : undefined,
    mediaSequence: Number(values.get('MEDIA-SEQUENCE') ?? 0),
    skipped,
    segments,
    hint: values.has('PRELOAD-HINT') ? readAttributes(values.get('PRELOAD-HINT') ?? '').get('URI') : undefined,
    reports,
    dateRanges,
    control: readAttributes(values.get('SERVER-CONTROL') ?? ''),
    startSeconds: values.has('START')
      ? Number(readAttributes(values.get('START') ?? '').get('TIME-OFFSET'))
      : undefined,
  };
  checkAlone(playlist, mayLackParts);
  return playlist;

  function closed(segment: OpenSegment, uri: string | undefined): ReadSegment {
    ensure(map !== '' || Number(values.get('VERSION')) < 6, 'a segment of CMAF has a MAP');
    if (segment.isDiscontinuity) discontinuity++;
    return { ...segment, uri, map, discontinuity, msn: msn + segments.length };
  }
}

/** Checks the invariants of a single playlist. */
function checkAlone(playlist: ReadPlaylist, mayLackParts: boolean): void {
  const { targetSeconds, partTargetSeconds, control } = playlist;
  ensure(Number.isInteger(targetSeconds) && targetSeconds > 0, 'TARGETDURATION is a whole number (4.4.3.1)');
  if (playlist.startSeconds !== undefined)
    ensure(
      playlist.segments.some(
        (segment, index) =>
          segment.parts[0]?.isIndependent !== false &&
          Math.abs(startOf(playlist, index) - (playlist.startSeconds ?? 0)) < 0.002,
      ),
      'START is the start of a segment that begins with an independent part',
    );
  const addresses = new Set<string>();
  for (const [index, segment] of playlist.segments.entries()) {
    if (segment.uri !== undefined)
      ensure(
        Math.round(segment.durationSeconds) <= targetSeconds,
        `${segment.uri} is not longer than the target (4.4.3.1)`,
      );
    else ensure(index === playlist.segments.length - 1, 'only the last segment is open');
    ensure(
      segment.parts.every(({ isGap }) => isGap === segment.isGap),
      'all parts of a gap are gaps, and no parts of other segments are (4.4.4.9)',
    );
    // A repeated clip has its old addresses after a discontinuity.
    if (segment.isDiscontinuity) addresses.clear();
    for (const address of [segment.uri, ...segment.parts.map(({ uri }) => uri)]) {
      // Gap segments before the first real segment have only the init segment.
      if (address === undefined || address === segment.map) continue;
      ensure(!addresses.has(address), `${address} is there once`);
      addresses.add(address);
    }
    for (const part of segment.parts)
      ensure(
        part.durationSeconds <= (partTargetSeconds ?? 0) + 1e-6,
        `${part.uri} is not longer than PART-TARGET (4.4.3.7)`,
      );
    const sum = segment.parts.reduce((total, part) => total + part.durationSeconds, 0);
    if (segment.uri !== undefined && segment.parts.length > 0)
      ensure(
        Math.abs(sum - segment.durationSeconds) < 0.001 || (mayLackParts && sum < segment.durationSeconds),
        `the parts of ${segment.uri} make it up`,
      );
  }
  if (partTargetSeconds === undefined) return;
  ensure(
    Number(control.get('PART-HOLD-BACK')) >= 3 * partTargetSeconds - 1e-6,
    'PART-HOLD-BACK is three parts (4.4.3.8)',
  );
  ensure(Number(control.get('HOLD-BACK')) >= 3 * targetSeconds, 'HOLD-BACK is three target durations (4.4.3.8)');
  ensure(
    Number(control.get('CAN-SKIP-UNTIL')) >= 6 * targetSeconds,
    'CAN-SKIP-UNTIL is six target durations (4.4.3.8)',
  );
  if (playlist.hint !== undefined) ensure(!addresses.has(playlist.hint), 'the hinted part is not there yet');
}

/** Start of a segment in seconds from the first segment of the playlist. */
function startOf({ segments }: ReadPlaylist, index: number): number {
  return segments.slice(0, index).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

/** Checks the invariants between a playlist and the one that a client loaded before (RFC 8216bis 6.2.1, 6.2.2). */
export function checkReload(before: ReadPlaylist, after: ReadPlaylist): void {
  ensure(after.mediaSequence >= before.mediaSequence, 'MEDIA-SEQUENCE never falls');
  const earlier = new Map(before.segments.map((segment) => [segment.msn, segment]));
  const end = (playlist: ReadPlaylist): number => playlist.mediaSequence + playlist.segments.length;
  ensure(end(after) >= end(before), 'nothing leaves at the end');
  for (const segment of after.segments) {
    const old = earlier.get(segment.msn);
    if (!old) continue;
    const where = `segment ${segment.msn}`;
    ensure(
      old.discontinuity === segment.discontinuity,
      `${where} keeps its discontinuity number ${old.discontinuity}, not ${segment.discontinuity} (6.2.1)`,
    );
    ensure(
      old.map === segment.map && (old.dateMs === undefined || old.dateMs === segment.dateMs),
      `${where} keeps its map ${old.map} and its date ${old.dateMs}, not ${segment.map} and ${segment.dateMs}`,
    );
    if (old.uri !== undefined)
      ensure(
        old.uri === segment.uri && old.durationSeconds === segment.durationSeconds && old.isGap === segment.isGap,
        `${where} keeps its address and length`,
      );
    for (const [index, part] of old.parts.entries()) {
      const now = segment.parts[index];
      ensure(
        segment.parts.length === 0 || (now?.uri === part.uri && now.durationSeconds === part.durationSeconds),
        `${where} keeps part ${index}`,
      );
    }
  }
  if (before.hint === undefined) return;
  const last = before.segments.at(-1);
  const openMsn = last && last.uri === undefined ? last.msn : before.mediaSequence + before.segments.length;
  const segment = after.segments.find(({ msn }) => msn === openMsn);
  if (!segment) return;
  const next = segment.parts[last && last.uri === undefined ? last.parts.length : 0];
  // The hinted part is the next part of its segment, or the segment ends without it.
  if (next) ensure(next.uri === before.hint, `${before.hint} was hinted at, ${next.uri} came (4.4.5.3)`);
}

/**
 * Checks that the dates of consecutive segments match their durations, up to `slackMs`, except at discontinuities and
 * gaps.
 */
export function checkDates(playlist: ReadPlaylist, slackMs: number): void {
  for (const [index, segment] of playlist.segments.entries()) {
    const next = playlist.segments[index + 1];
    if (
      !next ||
      next.isDiscontinuity ||
      next.isGap ||
      segment.isGap ||
      segment.dateMs === undefined ||
      next.dateMs === undefined
    )
      continue;
    const expected = segment.dateMs + segment.durationSeconds * 1000;
    ensure(
      Math.abs(next.dateMs - expected) <= slackMs,
      `segment ${next.msn} is dated ${next.dateMs - expected} ms off`,
    );
  }
}

interface OpenSegment {
  isDiscontinuity: boolean;
  isGap: boolean;
  dateMs: number | undefined;
  durationSeconds: number;
  readonly parts: { uri: string; durationSeconds: number; isIndependent: boolean; isGap: boolean }[];
}

function newSegment(): OpenSegment {
  return { isDiscontinuity: false, isGap: false, dateMs: undefined, durationSeconds: 0, parts: [] };
}

function readAttributes(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)/g))
    found.set(name, value.startsWith('"') ? value.slice(1, -1) : value);
  return found;
}

function ensure(isMet: boolean, rule: string): void {
  if (!isMet) throw new Error(`playlist: ${rule}`);
}
