import { closeSync, mkdtempSync, openSync, read, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestPictureOptions } from '../../src-main/codec/test-picture/test-picture-options.ts';
import { writeInitSegment } from '../../src-main/media/containers/isobmff/init-segment.ts';
import type { Track } from '../../src-main/media/track.ts';
import { bytesInMemory, type MediaBytes, type MediaFile } from '../../src-main/segment/media-bytes.ts';
import type { Init, Segment, WindowPeriod, WindowSegment } from '../../src-main/segment/segment-window.ts';
import { ListWindow, type ListedTrack, type ListedWindow } from './list-window.ts';
import { StreamRun } from './stream-run.ts';
import { testMedia } from './test-media.ts';

const readAt = promisify(read);

/** Open file of a test. */
class OpenFile implements MediaFile {
  readonly #fd: number;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
  }

  async read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(sizeBytes);
    const { bytesRead } = await readAt(this.#fd, bytes, 0, sizeBytes, offset);
    if (bytesRead < sizeBytes) throw new RangeError('the file is shorter');
    return bytes;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Track of a file with its segments, whose parts are in the file. */
interface RecordedTrack {
  readonly track: Track;
  readonly init: Init;
  readonly segments: readonly Segment[];
}

/**
 * Real H.264 and AAC as recorded from a stream: one file with an init segment of all tracks, followed by every part of
 * the live window, byte for byte. Segments of two seconds, times in UTC.
 */
export class RecordedMedia {
  readonly path: string;
  readonly tracks: readonly RecordedTrack[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'airdesk-recorded-'));
  readonly #file: OpenFile;

  constructor(seconds: number, options: Partial<TestPictureOptions> = {}) {
    this.path = join(this.#folder, 'recorded.mp4');
    const media = testMedia(options);
    const run = new StreamRun({ segmentCount: 1000 });
    run.playUnits([media.video, media.audio], media.units(seconds));
    run.close();
    const { window } = run;
    const chunks: Uint8Array[] = [writeInitSegment(media.video, media.audio)];
    let at = chunks[0]?.length ?? 0;
    const places = new Map<MediaBytes, number>();
    const live = window.tracks.map(({ track }) => ({ track, segments: window.segments(track.id) }));
    // The parts are in the order in which a recorder would get them.
    const parts = live.flatMap(({ segments }) => segments.flatMap(({ segment }) => segment.parts));
    for (const part of parts.sort((a, b) => a.arrivedMs - b.arrivedMs)) {
      const bytes = bytesInMemory(part);
      if (!bytes) throw new Error('live media must be in memory');
      places.set(part, at);
      chunks.push(bytes);
      at += bytes.length;
    }
    writeFileSync(this.path, Buffer.concat(chunks));
    const file = (this.#file = new OpenFile(this.path));
    this.tracks = live.map(({ track, segments }): RecordedTrack => {
      const init = Buffer.from(writeInitSegment(track));
      return {
        track,
        init: { initId: 0, track, sizeBytes: init.length, pieces: [{ bytes: init }] },
        segments: segments.map(({ segment }) => ({
          ...segment,
          initId: 0,
          parts: segment.parts.map((part) => {
            const { sizeBytes } = part;
            return { ...part, pieces: [{ file, offset: places.get(part) ?? 0, sizeBytes }] };
          }),
        })),
      };
    });
  }

  /** Media time of the first segment, in milliseconds. */
  get startMs(): number {
    return Math.min(...this.tracks.map(({ segments }) => segments[0]?.startMs ?? Infinity));
  }

  close(): void {
    this.#file.close();
    rmSync(this.#folder, { recursive: true });
  }
}

/** Range of recorded media in a window: segments `from` to `to`, which start at `startMs` on the timeline of the window. */
interface Range {
  readonly media: RecordedMedia;
  readonly from: number;
  readonly to: number;
  readonly addressPrefix: string;
}

/**
 * Lists of a window that plays ranges one at a time, from `startMs` on, with gaps between them. The media is not
 * copied.
 */
function stitched(
  ranges: readonly Range[],
  startMs = 0,
  gapMs = 0,
): Pick<ListedWindow, 'tracks' | 'inits' | 'periods'> {
  const lists = new Map<string, { track: Track; segments: WindowSegment[] }>();
  const inits: (Init & { readonly addressPrefix: string })[] = [];
  const periods: WindowPeriod[] = [];
  let msn = 0;
  let atMs = startMs;
  for (const [discontinuitySequence, { media, from, to, addressPrefix }] of ranges.entries()) {
    const leader = media.tracks[0]?.segments.slice(from, to) ?? [];
    const offsetMs = leader[0]?.startMs ?? 0;
    const last = leader.at(-1);
    periods.push({ firstMsn: msn, startMs: atMs, mediaOffsetMs: offsetMs, addressPrefix });
    for (const { track, init, segments } of media.tracks) {
      if (!inits.some((other) => other.track.id === track.id && other.addressPrefix === addressPrefix))
        inits.push({ ...init, addressPrefix });
      const list = lists.get(track.id) ?? { track, segments: [] };
      lists.set(track.id, list);
      for (const [index, segment] of segments.slice(from, to).entries())
        list.segments.push({
          segment,
          msn: msn + index,
          startMs: atMs + segment.startMs - offsetMs,
          isDiscontinuity: index === 0 && discontinuitySequence > 0,
          // The discontinuity of the first segment counts for later segments.
          discontinuitySequence: index === 0 ? Math.max(0, discontinuitySequence - 1) : discontinuitySequence,
          address: `${addressPrefix}${segment.startMs}`,
        });
    }
    msn += leader.length;
    if (last)
      atMs +=
        gapMs + last.startMs - offsetMs + Math.round((last.durationTicks * 1000) / media.tracks[0]!.track.timescale);
  }
  const tracks: ListedTrack[] = [...lists.values()];
  return { tracks, inits, periods };
}

/** Window of a file on disk, which never changes and has no date. */
export function fileWindow(media: RecordedMedia): ListWindow {
  return new ListWindow({ mutability: 'static', ...stitched([{ media, from: 0, to: 1000, addressPrefix: '' }]) });
}

/**
 * Window of two joined sources: the first one, a range of the second, and the rest of the first.
 *
 * @param gapMs gap between them
 */
export function stitchedWindow(
  main: RecordedMedia,
  clip: RecordedMedia,
  atSegment: number,
  clipSegments: number,
  gapMs = 0,
): ListWindow {
  const ranges = [
    { media: main, from: 0, to: atSegment, addressPrefix: '' },
    { media: clip, from: 0, to: clipSegments, addressPrefix: 'clip1-' },
    { media: main, from: atSegment, to: 1000, addressPrefix: '' },
  ];
  return new ListWindow({ mutability: 'static', ...stitched(ranges, 0, gapMs) });
}

/** Lists of a recording in progress that started at `startMs` of the clock, with a number of segments. */
export function growingLists(media: RecordedMedia, startMs: number, segments: number): ListedWindow {
  return {
    mutability: 'event',
    epochMs: 0,
    ...stitched([{ media, from: 0, to: segments, addressPrefix: '' }], startMs),
  };
}

/**
 * Lists of a restarted live stream with its archive: archived segments, each as one part, and after them the first live
 * segments in another format, with their parts.
 *
 * @param complete number of complete live segments; one more is open
 */
export function restarted(
  archived: RecordedMedia,
  live: RecordedMedia,
  startMs: number,
  complete: number,
): ListedWindow {
  const { tracks, ...rest } = stitched(
    [
      { media: archived, from: 0, to: 8, addressPrefix: '' },
      { media: live, from: 0, to: complete + 1, addressPrefix: 'anew1-' },
    ],
    startMs,
  );
  const asNow = (entry: WindowSegment, index: number, { length }: readonly WindowSegment[]): WindowSegment => {
    const { segment } = entry;
    if (index === length - 1) return { ...entry, segment: { ...segment, isComplete: false } };
    const [part] = segment.parts;
    if (!part || index >= length - 1 - complete) return entry;
    const { sizeBytes, durationTicks } = segment;
    const pieces = segment.parts.flatMap((one) => one.pieces);
    return {
      ...entry,
      segment: { ...segment, parts: [{ ...part, hasManyChunks: true, sizeBytes, durationTicks, pieces }] },
    };
  };
  const listed = tracks.map(({ segments, ...track }) => ({ ...track, segments: segments.map(asNow) }));
  return { mutability: 'live', epochMs: 0, partMs: 500, ...rest, tracks: listed };
}
