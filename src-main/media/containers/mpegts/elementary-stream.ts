import type { AccessUnit } from '../../access-unit.ts';
import type { Track } from '../../track.ts';
import type { ReadPesHeader } from './pes-header.ts';

/** Audio or video stream of the programme: converts PES packets to access units. */
export interface ElementaryStream {
  readonly trackId: string;
  /** Current format; undefined until its parameter sets were seen. */
  readonly track: Track | undefined;
  /** Processes a complete PES packet, `bytes[0..end)`. Borrowed until `copyPending`, or until the call returns if the stream has no such method. */
  pes(header: ReadPesHeader, bytes: Buffer, end: number): void;
  /** Processes the bytes of a PES packet that follow lost ones, `bytes[0..end)`, borrowed in the same way. */
  rest?(bytes: Buffer, end: number): void;
  /** Peeks at the first bytes of the payload of the next PES packet. Returns false if it needs more bytes. */
  peek?(bytes: Buffer, start: number, end: number): boolean;
  /** Whether a started picture was not emitted yet. */
  readonly isOpen?: boolean;
  /** The bytes of the last PES packet are about to change: copies the needed ones. */
  copyPending?(): void;
  /** Packets were lost: drops incomplete data. */
  interrupt(): void;
  /** The stream ends, or the next packets do not continue it: emits incomplete data. */
  flush?(): void;
  /** Releases its memory. */
  close?(): void;
}

/** Receives the output of elementary streams. */
export interface ElementarySink {
  /** The format of a stream became known or changed; later access units have it. */
  format(stream: ElementaryStream): void;
  /** `unit` and its data are borrowed until the call returns. */
  unit(stream: ElementaryStream, unit: AccessUnit): void;
}
