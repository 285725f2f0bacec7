/** Container of an exported file. */
export type ExportPacking = 'mp4' | 'ts';

/** Request for an export. */
export interface ExportRequest {
  /** Names of the streams; each gets its own file. */
  readonly streams: readonly string[];
  /** Epoch milliseconds; the end is exclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly packing: ExportPacking;
  /** Ids of tracks; default: the first video track and all audio. */
  readonly trackIds?: readonly string[] | undefined;
  /** Whether to cut to the frame; otherwise whole segments are exported. */
  readonly isExact?: boolean;
  /** Prefix of a VOD location and a path in it; undefined for the export folder of the storage. */
  readonly path?: string | undefined;
  /** Name of the files without extension; undefined for stream, start and length. */
  readonly fileName?: string | undefined;
  /** Case to export; its clips have their own times, with this total duration. */
  readonly case?: { readonly id: string; readonly title: string; readonly lengthMs: number } | undefined;
}

/** Gap in a file: its position from the start of the file, and its duration, in milliseconds. */
export interface ExportedGap {
  readonly atMs: number;
  readonly durationMs: number;
}

/** Chapter of a file, in milliseconds from its start. */
export interface ExportedChapter {
  readonly atMs: number;
  readonly title: string;
}

/** Finished file. */
export interface ExportedFile {
  readonly stream: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 of the file in hexadecimal. */
  readonly sha256: string;
  /** Start of the media in epoch milliseconds, and its duration. */
  readonly fromMs: number;
  readonly durationMs: number;
  readonly gaps: readonly ExportedGap[];
  /** Number of all gaps; only the first ones are listed. */
  readonly gapCount: number;
  readonly chapters: readonly ExportedChapter[];
}
