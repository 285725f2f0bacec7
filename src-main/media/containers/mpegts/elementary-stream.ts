import type { AccessUnit } from '../../access-unit.ts';
import type { Track } from '../../track.ts';
import type { ReadPesHeader } from './pes-header.ts';

/** One audio or video stream of the programme: PES packets in, access units out. */
export interface ElementaryStream {
  readonly trackId: string;
  /** The current format; undefined until its parameter sets were seen. */
  readonly track: Track | undefined;
  /** Takes a whole PES packet, `bytes[0..end)`. Borrowed until `hold`, or until the call returns if there is none. */
  pes(header: ReadPesHeader, bytes: Buffer, end: number): void;
  /** Looks at the first bytes of the payload of the next PES packet. Returns false if it needs more of them. */
  peek?(bytes: Buffer, start: number, end: number): boolean;
  /** Whether a picture has begun that was not handed on. */
  readonly isOpen?: boolean;
  /** The bytes of the PES packet before are about to change: copies what is still needed of them. */
  hold?(): void;
  /** Packets were lost: what is half done is forgotten. */
  interrupt(): void;
  /** No more packets come, or those that come do not continue these: hands on what is held. */
  flush?(): void;
  /** Gives its memory back. */
  close?(): void;
}

/** Receives what elementary streams find. */
export interface ElementarySink {
  /** The format of a stream is known now, or has changed; access units after this call are in it. */
  format(stream: ElementaryStream): void;
  /** `unit` and its data are borrowed until the call returns. */
  unit(stream: ElementaryStream, unit: AccessUnit): void;
}
