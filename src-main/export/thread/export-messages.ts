import type { TimeRange } from '../../dvr/catalog/catalog-store.ts';
import type { BlockContent } from '../../dvr/window/block-table.ts';
import type { ExportedFile } from './export-request.ts';
import type { CutPictures } from './exact-format.ts';
import type { ExportProgress } from './export-run.ts';
import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Finished block in its catalog form. */
interface PackedBlock {
  readonly disk: string;
  readonly path: string;
  /** Tracks of the block as text (`printTracks`), and its index (`packIndex`). */
  readonly tracks: string;
  readonly packedIndex: Uint8Array;
}

/** Blocks of a stream that have media in a time range: finished ones in order, and open ones. */
export interface ArchiveBlocks {
  readonly finished: readonly PackedBlock[];
  readonly unfinished: readonly BlockContent[];
}

/** Messages from an export thread. */
export type FromExportThread =
  | { readonly type: 'blocks'; readonly call: number; readonly stream: string; readonly time: TimeRange }
  | { readonly type: 'picture'; readonly call: number; readonly stream: string; readonly atMs: number }
  | { readonly type: 'encode'; readonly call: number; readonly input: Parameters<CutPictures>[0] }
  | { readonly type: 'progress'; readonly progress: ExportProgress }
  | { readonly type: 'done'; readonly files: readonly ExportedFile[] }
  | ({ readonly type: 'failed'; readonly code: string } & Explained);

/** Messages to an export thread: the result or the error of a call. */
export type ToExportThread =
  | { readonly type: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly call: number; readonly detail: string };
