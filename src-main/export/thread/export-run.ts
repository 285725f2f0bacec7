import { rmdir, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PartMuxer } from '../../packaging/mpegts/part-muxer.ts';
import type { ExportedFile } from './export-request.ts';
import { archiveRows, type ArchiveRow, type ReadTables, type RowChunks } from './archive-rows.ts';
import type { CutPictures } from './exact-format.ts';
import { MISSING_FILE, printManifest, printMissing, printSums, type ItemFile } from './case-manifest.ts';
import { exactRows } from './exact-rows.ts';
import { ExportFailure, type ExportTask, type FolderTask, type StreamTask } from './export-task.ts';
import { LostRows } from './lost-rows.ts';
import { planFiles, type PlannedFile } from './file-plan.ts';
import { joinRow, mp4Head, type Mp4Head } from './mp4-head.ts';
import { OutputFile } from './output-file.ts';
import { readIntact } from './row-bytes.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Progress of an export. */
export interface ExportProgress {
  /** Bytes written and total bytes of all files; the total is 0 while unknown. */
  readonly writtenBytes: number;
  readonly totalBytes: number;
  /** Duration of the media written, in milliseconds. */
  readonly doneMs: number;
}

export interface ExportRunOptions {
  readonly task: ExportTask;
  readonly tables: (stream: string) => ReadTables;
  /** Encodes pictures again, for exports cut to the frame. */
  readonly encode: CutPictures;
  /** JPEG of the picture at a time, for the stills of a case. */
  readonly picture: (stream: string, atMs: number) => Promise<Uint8Array>;
  readonly progress: (progress: ExportProgress) => void;
}

/** Maximum size of a transport stream relative to CMAF: packet headers, tables and stuffing. */
const TS_OVERHEAD = 1.12;

/** Reads the rows of a stream from the first one on, at each call. */
type ReadRows = () => AsyncIterable<ArchiveRow>;

/** Files and media to write for one stream. */
interface PlannedStream {
  readonly task: StreamTask;
  readonly rows: ReadRows;
  readonly files: readonly PlannedFile[];
}

/**
 * Runs an export: plans it, checks the free space, writes the files under temporary names, and renames them when all are
 * complete. Removes its files on failure. Throws `ExportFailure` and read errors of the archive.
 */
export async function runExport(options: ExportRunOptions): Promise<readonly ExportedFile[]> {
  const { task } = options;
  const planned: PlannedStream[] = [];
  const missing = new MissingItems();
  for (const stream of task.streams) {
    const one = await missing.without(stream.item, plan(options, stream));
    if (one) planned.push(one);
  }
  const totalBytes = planned.flatMap(({ files }) => files).reduce((sum, file) => sum + bytesOf(task, file), 0);
  await requireSpace(task, totalBytes);
  const written: WrittenFile[] = [];
  let doneMs = 0;
  let doneBytes = 0;
  try {
    for (const { task: stream, rows, files } of planned)
      for (const [index, file] of files.entries()) {
        const path = `${stream.stem}${index === 0 ? '' : `-${index + 1}`}.${task.packing}`;
        const [beforeMs, beforeBytes] = [doneMs, doneBytes];
        const output = await openOutput(task, written, path, { ...resultOf(stream.stream, file), item: stream.item });
        const lost = new LostRows(file);
        await writeFile(task, rows, file, { output, lost }, (atMs) => {
          const progress = { writtenBytes: beforeBytes + output.sizeBytes, doneMs: beforeMs + atMs - file.fromMs };
          options.progress({ ...progress, totalBytes: Math.max(totalBytes, progress.writtenBytes) });
        });
        await finish(written);
        const last = written.at(-1);
        if (last) last.file = { ...last.file, ...lost.gaps() };
        doneMs += file.toMs - file.fromMs;
        doneBytes += output.sizeBytes;
      }
    if (task.folder) await writeFolder(options, task.folder, written, missing);
    for (const { output } of written) await output.publish();
  } catch (error) {
    await Promise.all(written.map(async ({ output }) => output.discard()));
    if (task.folder) await rmdir(task.folder.path).catch(() => undefined);
    throw error;
  }
  return written.map((one) => {
    const { item: _item, ...file } = fileOf(one);
    return file;
  });
}

/** File that is being written or is complete. */
interface WrittenFile {
  readonly output: OutputFile;
  file: Omit<ItemFile, 'path' | 'sizeBytes' | 'sha256'>;
  sha256: string;
}

async function openOutput(
  { id }: ExportTask,
  written: WrittenFile[],
  path: string,
  file: WrittenFile['file'],
): Promise<OutputFile> {
  const output = await OutputFile.create(path, temporaryPath(path, id));
  written.push({ output, file, sha256: '' });
  return output;
}

/** Completes the last file. */
async function finish(written: readonly WrittenFile[]): Promise<void> {
  const last = written.at(-1);
  if (last) last.sha256 = await last.output.finish();
}

function fileOf({ output, file, sha256 }: WrittenFile): ItemFile {
  return { ...file, path: output.path, sizeBytes: output.sizeBytes, sha256 };
}

/** Writes the stills of a case, its manifest, and all hashes. */
async function writeFolder(
  { task, picture }: ExportRunOptions,
  { path: folder, stills, manifest }: FolderTask,
  written: WrittenFile[],
  missing: MissingItems,
): Promise<void> {
  const put = async (name: string, bytes: Uint8Array, about: Partial<WrittenFile['file']>): Promise<void> => {
    const none = { durationMs: 0, gaps: [], gapCount: 0, chapters: [], item: undefined };
    const output = await openOutput(task, written, name, { stream: '', fromMs: manifest.atMs, ...none, ...about });
    await output.write(bytes);
    await finish(written);
  };
  for (const { item, stream, atMs, path } of stills) {
    const bytes = await missing.without(item, picture(stream, atMs));
    if (bytes) await put(path, bytes, { stream, fromMs: atMs, item });
  }
  if (written.length === 0) missing.fail();
  const files = written.map(fileOf);
  await put(join(folder, 'manifest.json'), Buffer.from(printManifest(manifest, files, missing.reasons)), {});
  if (missing.reasons.size > 0)
    await put(join(folder, MISSING_FILE), Buffer.from(printMissing(manifest, missing.reasons)), {});
  await put(join(folder, 'SHA256SUMS'), Buffer.from(printSums(written.map(fileOf))), {});
}

/** Clips and stills of a case without recordings; the other items are exported. */
class MissingItems {
  /** Explanation for each missing item, by id. */
  readonly reasons = new Map<string, string>();
  #first: ExportFailure | undefined;

  /**
   * Result for an item; undefined if the media of the item is missing. Rethrows the error if there is no item, or if
   * the error is not about recordings.
   */
  async without<Made>(item: string | undefined, result: Promise<Made>): Promise<Made | undefined> {
    try {
      return await result;
    } catch (error) {
      if (item === undefined || !(error instanceof ExportFailure) || !NOT_RECORDED.has(error.code)) throw error;
      this.#first ??= error;
      this.reasons.set(item, error.message);
      return undefined;
    }
  }

  /** Throws the reason of the first missing item, if any. */
  fail(): void {
    if (this.#first) throw this.#first;
  }
}
const NOT_RECORDED: ReadonlySet<string> = new Set(['archive_empty', 'picture_not_available']);

/** Temporary file name: hidden, with the id of the job. */
function temporaryPath(path: string, id: string): string {
  return join(dirname(path), `.${basename(path)}.${id}.tmp`);
}

async function rowsOfStream(
  { task, tables, encode }: ExportRunOptions,
  { stream, time: streamTime }: StreamTask,
): Promise<ReadRows> {
  const { fromMs, toMs } = streamTime ?? task;
  const time = { startMs: fromMs, endMs: toMs };
  const rows = (range: typeof time): AsyncIterable<ArchiveRow> => archiveRows(tables(stream), range);
  return task.isExact ? exactRows({ rows, time, trackIds: task.trackIds, encode }) : () => rows(time);
}

async function plan(options: ExportRunOptions, stream: StreamTask): Promise<PlannedStream> {
  const { task, progress } = options;
  const rows = await rowsOfStream(options, stream);
  const files = await planFiles(rows(), {
    trackIds: task.trackIds,
    marks: stream.marks,
    isCutAtFormats: task.packing === 'mp4',
    progress: () => {
      progress({ writtenBytes: 0, totalBytes: 0, doneMs: 0 });
    },
  });
  return { task: stream, rows, files };
}

async function writeFile(
  task: ExportTask,
  rows: ReadRows,
  file: PlannedFile,
  to: WriteTo,
  progress: (atMs: number) => void,
): Promise<void> {
  const read = rowsOf(rows(), file);
  if (task.packing === 'ts') await writeTs(read, file, to, progress);
  else await writeMp4(read, mp4Head(file, task), file, to, progress);
  to.lost.check();
}

/** Destination of the rows, and the callback for rows that could not be written. */
interface WriteTo {
  readonly output: OutputFile;
  readonly lost: LostRows;
}

/** Row with the bytes of its tracks; undefined if some are missing or damaged. */
interface ReadRow {
  readonly row: ArchiveRow;
  readonly chunks: readonly RowChunks[];
  readonly bytes: readonly Uint8Array[] | undefined;
}

/** Rows of a file with their bytes. Reads the next row while one is written. */
async function* rowsOf(rows: AsyncIterable<ArchiveRow>, file: PlannedFile): AsyncGenerator<ReadRow, void, undefined> {
  let before: Promise<ReadRow> | undefined;
  for await (const row of rows) {
    if (row.number < file.firstRow || file.lost.has(row.number)) continue;
    if (row.number >= file.endRow) break;
    const chunks = row.chunks.filter(({ track }) => file.tracks.has(track.id));
    const reading = readIntact(chunks).then((bytes) => ({ row, chunks, bytes }));
    // The error is thrown when its row is reached.
    reading.catch(() => undefined);
    if (before) yield await before;
    before = reading;
  }
  if (before) yield await before;
}

async function writeMp4(
  rows: AsyncIterable<ReadRow>,
  head: Mp4Head,
  file: PlannedFile,
  { output, lost }: WriteTo,
  progress: (atMs: number) => void,
): Promise<void> {
  await output.write(head.bytes);
  for await (const { row, chunks, bytes } of rows) {
    const tracks = chunks.map(({ track }) => track);
    lost.add(row, bytes !== undefined);
    // The index at the start of the file states the size, so a lost row becomes a box without media, which players skip.
    if (!bytes) await output.write(emptyBox(chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)));
    else for (const piece of joinRow(bytes, tracks, head)) await output.write(piece);
    progress(row.endMs);
  }
  // The index is at the start of the file.
  if (output.sizeBytes !== head.bytes.length + file.mediaBytes)
    throw new ExportFailure('media_unreadable', because('media_deleted_meanwhile'));
}

/** Box without content (`free`, ISO/IEC 14496-12, 8.1.2). */
function emptyBox(sizeBytes: number): Uint8Array {
  const box = Buffer.alloc(sizeBytes);
  box.writeUInt32BE(sizeBytes, 0);
  box.write('free', 4);
  return box;
}

async function writeTs(
  rows: AsyncIterable<ReadRow>,
  file: PlannedFile,
  { output, lost }: WriteTo,
  progress: (atMs: number) => void,
): Promise<void> {
  const trackIds = [...file.tracks.keys()];
  // Rows have all tracks, so the muxer never waits.
  const muxer = new PartMuxer({ trackIds, skewMs: SKEW_MS, trackAt: (id) => file.tracks.get(id)?.track });
  for await (const { row, chunks, bytes } of rows) {
    const isAfterLost = lost.add(row, bytes !== undefined);
    if (!bytes) continue;
    for (const [index, part] of chunks.entries()) {
      const { track } = part;
      const fed = {
        trackId: track.id,
        track,
        part,
        entry: { msn: row.number },
        shiftMs: 0,
        isDiscontinuity: row.isCut || isAfterLost,
      };
      for (const packets of muxer.add(fed, bytes[index] ?? new Uint8Array(0))) await output.write(packets.bytes);
    }
    for (const packets of muxer.ready()) await output.write(packets.bytes);
    progress(row.endMs);
  }
  for (const packets of muxer.remaining()) await output.write(packets.bytes);
}

/** Maximum delay of a track in a transport stream, in milliseconds; a later track counts as silent. */
const SKEW_MS = 10_000;

function bytesOf({ packing }: ExportTask, { mediaBytes }: PlannedFile): number {
  return packing === 'ts' ? Math.ceil(mediaBytes * TS_OVERHEAD) : mediaBytes;
}

async function requireSpace({ streams, folder: folderTask, reserveBytes }: ExportTask, bytes: number): Promise<void> {
  let folder = folderTask?.path ?? dirname(streams[0]?.stem ?? '/');
  for (;;) {
    const space = await statfs(folder).catch(() => undefined);
    if (space) {
      const free = space.bsize * space.bavail;
      if (free < bytes + reserveBytes)
        throw new ExportFailure(
          'export_no_room',
          because('export_space', { bytes, free: Math.max(0, free - reserveBytes) }),
        );
      return;
    }
    if (dirname(folder) === folder) return;
    folder = dirname(folder);
  }
}

function resultOf(stream: string, file: PlannedFile): Omit<ExportedFile, 'path' | 'sizeBytes' | 'sha256'> {
  const { fromMs, toMs, gaps, gapCount, chapters } = file;
  return { stream, fromMs, durationMs: toMs - fromMs, gaps, gapCount, chapters };
}
