import type { BenchMedia } from './bench-media.ts';
import type { Row } from './row.ts';
import type { TargetKind } from './target.ts';

export interface BenchContext {
  readonly media: BenchMedia;
  readonly ours: TargetKind;
  /** The peer server, if installed. */
  readonly peer: TargetKind | undefined;
  /** Folder in memory, if the system has one. */
  readonly workFolder: string;
  /** Numbers of publishers for the cost of ingest. */
  readonly counts: readonly number[];
  readonly isQuick: boolean;
  /** Prefixes of the names of protocols to measure; default: all. */
  readonly protocols?: readonly string[];
  /** Duration of the wall soak or of the section `programmes`, in minutes; default: that of the section. */
  readonly minutes?: number;
  /** Number of tiles of the wall soak; default: that of the section. */
  readonly tiles?: number;
  /** True if our server runs from its sources instead of the build. */
  readonly isSource: boolean;
  /** Checkout of the measured server. */
  readonly root: string;
  /** Prints progress. */
  readonly say: (text: string) => void;
}

/** One section of the bench: measures and returns rows. */
export type Section = (context: BenchContext) => Promise<Row[]>;

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
