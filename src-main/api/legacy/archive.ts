import type { LegacyDvrStatus } from '../../../src-preload/contract/api/legacy.ts';
import { badParameter } from '../../../src-preload/contract/errors.ts';
import type { ArchiveTime, RecordedArchive } from '../../control/archive/archive-operations.ts';
import { PiecesBody } from '../endpoints/endpoint.ts';

/** Recordings of one UTC day, in pieces, because the list is long. Raises `bad_query` if the date does not exist. */
export function legacyDvrStatus(
  archive: RecordedArchive,
  name: string,
  [year, month, day]: readonly [year: string, month: string, day: string],
): PiecesBody {
  if (!isDay(year, month, day)) throw badParameter('day', `${year}/${month}/${day} is not a date`);
  const startMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return new PiecesBody(dayPieces(archive, name, { startMs, endMs: startMs + DAY_MS }));
}

const DAY_MS = 86_400_000;
/** Number of blocks that are read in one step. */
const STEP_BLOCKS = 60;

async function* dayPieces(archive: RecordedArchive, name: string, day: ArchiveTime): AsyncGenerator<string, void> {
  let separator = '[';
  const seen = new Set<string>();
  for (let { startMs } = day; ;) {
    const blocks = await archive.blocks(name, { startMs, endMs: day.endMs }, STEP_BLOCKS);
    const fresh = blocks.filter(({ path, startMs: beginMs }) => !seen.has(`${beginMs} ${path}`));
    for (const block of fresh) {
      seen.add(`${block.startMs} ${block.path}`);
      yield separator + JSON.stringify(legacyBlock(name, block));
      separator = ',';
    }
    const last = fresh.at(-1);
    if (!last) break;
    startMs = Math.max(startMs, last.startMs);
  }
  yield separator === '[' ? '[]' : ']';
}

function legacyBlock(
  stream: string,
  { path, startMs, endMs, sizeBytes, hasPicture, segments }: Awaited<ReturnType<RecordedArchive['blocks']>>[number],
): LegacyDvrStatus[number] {
  return {
    timestamp: Math.floor(startMs / 1000),
    path,
    bitrate: kbits(sizeBytes, endMs - startMs),
    segments: segments.map((segment) => ({
      second: Math.max(0, Math.floor((segment.startMs - startMs) / 1000)),
      utc: Math.floor(segment.startMs / 1000),
      duration: Math.round(segment.endMs - segment.startMs) / 1000,
      size: segment.sizeBytes,
      bitrate: kbits(segment.sizeBytes, segment.endMs - segment.startMs),
      ...(hasPicture ? { jpeg: picturePath(stream, segment) } : {}),
    })),
  };
}

/**
 * Path of a picture at the start of a segment. Addresses have whole seconds, so it is the first full second inside the segment,
 * if there is one.
 */
function picturePath(stream: string, { startMs, endMs }: ArchiveTime): string {
  const inside = Math.ceil(startMs / 1000);
  return encodeURI(`/${stream}/${inside * 1000 < endMs ? inside : Math.floor(startMs / 1000)}-preview.jpg`);
}

function kbits(bytes: number, ms: number): number {
  return ms > 0 ? Math.round((bytes * 8) / ms) : 0;
}

function isDay(year: string, month: string, day: string): boolean {
  if (!/^[0-9]{4}$/.test(year) || !/^[0-9]{1,2}$/.test(month) || !/^[0-9]{1,2}$/.test(day)) return false;
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return (
    time.getUTCFullYear() === Number(year) &&
    time.getUTCMonth() === Number(month) - 1 &&
    time.getUTCDate() === Number(day)
  );
}
