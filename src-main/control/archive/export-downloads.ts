import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { Tickets } from '../../lib/tickets.ts';
import { readByteRange, type ByteRange } from '../../delivery/answers/byte-range.ts';
import { tarBytes, tarOf, type PackedFile } from '../../export/tar-archive.ts';
import type { ShownExport } from './export-port.ts';

/** Target of a ticket: a file, or all files of an export as one archive file. */
type Download = { readonly path: string } | { readonly name: string; readonly packed: readonly PackedFile[] };

/** Archive file that is created while it is sent. */
export interface PackedDownload {
  readonly name: string;
  readonly sizeBytes: number;
  /** Strong validator of its files (RFC 9110 section 8.8.3). */
  readonly tag: string;
  /** Parses a Range header (RFC 9110 section 14.2). */
  rangeOf(header: string | undefined): ByteRange | 'all' | 'unsatisfiable';
  /** Reads the bytes from the first to the last, both included. */
  read(first: number, last: number): Readable;
}

/**
 * Downloads of exported files. A download is announced first. The announcement creates a ticket, so a browser that opens the
 * address needs no other right.
 */
export class ExportDownloads {
  readonly #tickets: Tickets<Download>;

  constructor(clock: Clock) {
    this.#tickets = new Tickets(clock);
  }

  /**
   * Announces a file of an export, counted from 0, or all files as one archive file. Raises `export_not_done`, and `not_found` if
   * it has no such file.
   *
   * @returns the ticket
   */
  announce(job: DoneExport, number: number | 'all'): string {
    if (job.status !== 'done') throw new AirdeskError('export_not_done', `The export ${job.id} has not finished`);
    return this.#tickets.issue(downloadOf(job, number));
  }

  /** Path of the file of a ticket, or its archive file; undefined without a valid ticket. */
  find(ticket: string): { readonly path: string } | PackedDownload | undefined {
    const what = this.#tickets.find(ticket);
    if (!what || 'path' in what) return what;
    const { name, packed } = what;
    const sizeBytes = tarBytes(packed);
    return {
      name,
      sizeBytes,
      rangeOf: (header) => readByteRange(header, sizeBytes),
      tag: `"${createHash('sha256').update(JSON.stringify(packed)).digest('base64url')}"`,
      read: (first, last) => Readable.from(tarOf(packed, first, last)),
    };
  }
}

type DoneExport = Pick<ShownExport, 'id' | 'status' | 'files' | 'finishedMs'>;

function downloadOf({ id, files, finishedMs }: DoneExport, number: number | 'all'): Download {
  const [first] = files;
  if (number !== 'all' || !first) {
    const file = files[Number(number)];
    if (!file) throw new AirdeskError('not_found', `The export ${id} has ${files.length} files`);
    return file;
  }
  // A case has its own folder. Other exports share a folder, so the download is named after their first file.
  const isFolder =
    files.every(({ path }) => dirname(path) === dirname(first.path)) && first.path !== files.at(-1)?.path;
  const name = isFolder ? basename(dirname(first.path)) : basename(first.path).replace(/\.[^.]*$/, '');
  return {
    name: `${name}.tar`,
    packed: files.map(({ path, sizeBytes }) => ({
      name: `${name}/${basename(path)}`,
      path,
      sizeBytes,
      modifiedMs: finishedMs ?? 0,
    })),
  };
}
