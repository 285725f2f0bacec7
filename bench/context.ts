import type { BenchMedia } from './bench-media.ts';
import type { Row } from './row.ts';
import type { TargetKind } from './target.ts';

/** What every section works with. */
export interface BenchContext {
  readonly media: BenchMedia;
  readonly ours: TargetKind;
  /** The peer, where it is installed. */
  readonly peer: TargetKind | undefined;
  /** Folder in memory, where the system has one. */
  readonly workFolder: string;
  /** Numbers of publishers for the cost of ingest. */
  readonly counts: readonly number[];
  readonly isQuick: boolean;
  /** Beginnings of the names of the protocols that are measured; all without it. */
  readonly protocols?: readonly string[];
  /** How long the soak of the wall lasts, and its tiles; as usual without them. */
  readonly minutes?: number;
  readonly tiles?: number;
  /** Whether our server runs from its sources instead of the build. */
  readonly isSource: boolean;
  /** Checkout whose server is measured. */
  readonly root: string;
  /** Says what is going on. */
  readonly say: (text: string) => void;
}

/** One part of the measurement. */
export type Section = (context: BenchContext) => Promise<Row[]>;

/** Resolves after a time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
