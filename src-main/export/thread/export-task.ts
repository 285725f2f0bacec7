import type { ExportPacking } from './export-request.ts';
import type { ManifestHead } from './case-manifest.ts';
import type { Explained, Explanation } from '../../../src-preload/contract/explanations/explanations.ts';

/** Position in an archive that becomes a chapter. */
export interface ExportMark {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly title: string;
}

/** One stream of a job and its output files. */
export interface StreamTask {
  readonly stream: string;
  /** Path of the file without its extension. After a change of format, more files get `-2`, `-3` and so on. */
  readonly stem: string;
  /** Positions that are not in the archive, such as locks. */
  readonly marks: readonly ExportMark[];
  /** Time range to export in epoch milliseconds; undefined for the range of the task. */
  readonly time?: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Item of a case that the stream belongs to. */
  readonly item?: string | undefined;
}

/** Folder of a case: its stills, and the manifest. */
export interface FolderTask {
  readonly path: string;
  /** Full-size pictures at epoch milliseconds. */
  readonly stills: readonly {
    readonly item: string;
    readonly stream: string;
    readonly atMs: number;
    readonly path: string;
  }[];
  readonly manifest: ManifestHead;
}

/** Input of an export thread. */
export interface ExportTask {
  /** Part of the temporary file names. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly packing: ExportPacking;
  /** Ids of tracks; default: the first video track and all audio. */
  readonly trackIds?: readonly string[] | undefined;
  /** Whether to cut to the frame; otherwise whole segments are exported. */
  readonly isExact?: boolean;
  readonly streams: readonly StreamTask[];
  /** Folder of an exported case; undefined for other exports. */
  readonly folder?: FolderTask | undefined;
  /** Bytes to leave free on the disk. */
  readonly reserveBytes: number;
}

/** Failure to read or write a file; its code is in the error catalogue. */
export class ExportFailure extends Error {
  readonly code: ExportFailureCode;
  readonly explanation: Explanation | undefined;

  constructor(code: ExportFailureCode, { detail, explanation }: Explained) {
    super(detail);
    this.code = code;
    this.explanation = explanation;
  }
}

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
