import type { AccessUnit } from '../../access-unit.ts';
import type { Track } from '../../track.ts';
import type { ReadPesHeader } from './pes-header.ts';

/** Audio or video stream of the programme: converts PES packets to access units. */
export interface ElementaryStream {
  readonly trackId: string;
  /** Current format; undefined until its parameter sets were seen. */
  readonly track: Track | undefined;
  /**
   * Processes a complete PES packet, `bytes[0..end)`. Borrowed until `copyPending`, or until the call returns if the stream has
   * no such method.
   */
  pes(header: ReadPesHeader, bytes: Buffer, end: number): void;
  /** Processes the bytes of a PES packet that follow lost ones, `bytes[0..end)`, borrowed in the same way. */
  rest?(bytes: Buffer, end: number): void;
  /** Peeks at the first bytes of the payload of the next PES packet. Returns false if it needs more bytes. */
  peek?(bytes: Buffer, start: number, end: number): boolean;
  /** Whether a started picture was not emitted yet. */
  readonly isOpen?: boolean;
  /** Copies the needed bytes of the last PES packet, because its memory is about to change. */
  copyPending?(): void;
  /** Drops incomplete data, because packets were lost. */
  interrupt(): void;
  /** Emits incomplete data, because the stream ends or the next packets do not continue it. */
  flush?(): void;
  /** Releases its memory. */
  close?(): void;
}

/** Receives the output of elementary streams. */
export interface ElementarySink {
  /** Called when the format of a stream is known, or has changed. Later access units have this format. */
  format(stream: ElementaryStream): void;
  /** Called for each access unit. `unit` and its data are borrowed until the call returns. */
  unit(stream: ElementaryStream, unit: AccessUnit): void;
}
