import type { PesCollector } from './pes-collector.ts';
import type { SectionCollector } from './section-collector.ts';

/** Counters of one packet identifier. */
export interface PidStats {
  readonly pid: number;
  readonly packets: number;
  /** Number of jumps of the continuity counter. */
  readonly continuityErrors: number;
  /** Number of packets that are marked as damaged by the sender or the link, or whose adaptation field does not fit. */
  readonly transportErrors: number;
  readonly scrambledPackets: number;
  /** Number of duplicate packets, which the standard allows (ISO/IEC 13818-1, 2.4.3.3). */
  readonly duplicates: number;
}

/** Counters of a transport stream since its reader was created. */
export interface MpegTsStats {
  /** Packets of 188 bytes on the grid. */
  readonly packets: number;
  /** Distance of packets: 188, 192 or 204; 0 while there is no grid. */
  readonly strideBytes: number;
  /** Bytes outside the grid. */
  readonly skippedBytes: number;
  /** Consecutive bytes without any grid; 0 while there is one. */
  readonly bytesWithoutGrid: number;
  readonly syncLosses: number;
  readonly tableErrors: number;
  readonly programNumber: number | undefined;
  readonly pids: readonly PidStats[];
}

/** State of one packet identifier. */
export class PidState implements PidStats {
  readonly pid: number;
  packets = 0;
  continuityErrors = 0;
  transportErrors = 0;
  scrambledPackets = 0;
  duplicates = 0;
  /** Continuity counter of the newest packet with payload; -1 before the first packet. */
  continuity = -1;
  isScrambled = false;
  pes: PesCollector | undefined = undefined;
  sections: SectionCollector | undefined = undefined;

  constructor(pid: number) {
    this.pid = pid;
  }

  /** Its counters as a plain value. */
  get counters(): PidStats {
    const { pid, packets, continuityErrors, transportErrors, scrambledPackets, duplicates } = this;
    return { pid, packets, continuityErrors, transportErrors, scrambledPackets, duplicates };
  }

  /**
   * Reports that packets were lost, so that incomplete data cannot be completed.
   * @param goesOn whether the next packets are of the same stream
   */
  interrupt(goesOn = false): void {
    this.pes?.interrupt(goesOn);
    this.sections?.reset();
  }
}
