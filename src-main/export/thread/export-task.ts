import type { ExportPacking } from '../export-request.ts';
import type { ManifestHead } from './case-manifest.ts';

/** A place in an archive that becomes a chapter. */
export interface ExportMark {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly title: string;
}

/** One stream of a job, and the files that it becomes. */
export interface StreamTask {
  readonly stream: string;
  /** Path of the file without its ending. Where the picture is coded in another way further files have `-2`, `-3` … behind it. */
  readonly stem: string;
  /** Places that the archive itself does not know, such as locks. */
  readonly marks: readonly ExportMark[];
  /** What is exported of it, in epoch milliseconds; undefined for the time of the task. */
  readonly time?: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** The item of a case that it is. */
  readonly item?: string | undefined;
}

/** The folder of a case: stills beside the files, and a manifest of all. */
export interface FolderTask {
  readonly path: string;
  /** Pictures as large as they are, at epoch milliseconds. */
  readonly stills: readonly {
    readonly item: string;
    readonly stream: string;
    readonly atMs: number;
    readonly path: string;
  }[];
  readonly manifest: ManifestHead;
}

/** What an export thread does. */
export interface ExportTask {
  /** Stands in the names of unfinished files. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly packing: ExportPacking;
  /** Ids of tracks; without it the first picture and all sound. */
  readonly trackIds?: readonly string[] | undefined;
  /** Whether it is cut to the frame; otherwise it has whole segments. */
  readonly isExact?: boolean;
  readonly streams: readonly StreamTask[];
  /** Undefined where it is no case. */
  readonly folder?: FolderTask | undefined;
  /** Bytes that are left free on the disk. */
  readonly reserveBytes: number;
}

/** Why a file cannot be written, or not be read; the code stands in the error catalogue. */
export class ExportFailure extends Error {
  readonly code: ExportFailureCode;

  constructor(code: ExportFailureCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Codes of failures. */
export type ExportFailureCode =
  | 'archive_empty'
  | 'media_unreadable'
  | 'track_not_found'
  | 'picture_not_available'
  | 'export_not_exact'
  | 'export_no_room'
  | 'export_file_exists'
  | 'export_not_written'
  | 'export_failed';
