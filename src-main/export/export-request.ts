/** What a file is packed in. */
export type ExportPacking = 'mp4' | 'ts';

/** What is to be exported. */
export interface ExportRequest {
  /** Names of the streams; each becomes a file of its own. */
  readonly streams: readonly string[];
  /** Epoch milliseconds; the end is not part of it. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly packing: ExportPacking;
  /** Ids of tracks; without it the first picture and all sound. */
  readonly trackIds?: readonly string[] | undefined;
  /** Whether it is cut to the frame; otherwise it has whole segments. */
  readonly isExact?: boolean;
  /** Prefix of a VOD location and the path in it; undefined for the export folder of the storage. */
  readonly path?: string | undefined;
  /** The case that it is; its clips have times of their own, which are so long together. */
  readonly case?: { readonly id: string; readonly title: string; readonly lengthMs: number } | undefined;
}

/** A range that is missing, or a place in a file. Milliseconds from the start of the file. */
export interface ExportedGap {
  readonly atMs: number;
  readonly durationMs: number;
}

/** A chapter of a file, in milliseconds from its start. */
export interface ExportedChapter {
  readonly atMs: number;
  readonly title: string;
}

/** A file that was written. */
export interface ExportedFile {
  readonly stream: string;
  /** Where it lies. */
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** When what it shows begins, in epoch milliseconds, and how long it is. */
  readonly fromMs: number;
  readonly durationMs: number;
  readonly gaps: readonly ExportedGap[];
  /** Gaps in all: the first of them are listed. */
  readonly gapCount: number;
  readonly chapters: readonly ExportedChapter[];
}
