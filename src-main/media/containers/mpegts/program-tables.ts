import type { FormatProblem } from '../../access-unit.ts';
import { readPat, type Pat, type PatProgram } from './pat.ts';
import { readPmt, type Pmt } from './pmt.ts';
import { streamKind } from './stream-kind.ts';

/** Who hears what the tables say. */
export interface ProgramTablesSink {
  /** Maps of programmes are to be read from these packet identifiers, and from no others. */
  mapPids(pids: readonly number[]): void;
  /** The programme is chosen, or its map has changed. */
  program(pmt: Pmt): void;
  problem(problem: FormatProblem): void;
}

interface SeenMap {
  readonly crc: number;
  readonly pmt: Pmt;
  readonly hasMedia: boolean;
}

/**
 * Reads programme association and programme map tables and chooses the programme: the one with the given number, or the
 * first of the association table that carries audio or video. Tables that come again unchanged cost nothing.
 */
export class ProgramTables {
  readonly #sink: ProgramTablesSink;
  readonly #wanted: number | undefined;
  readonly #patSections = new Map<number, { readonly crc: number; readonly pat: Pat }>();
  #programs: readonly PatProgram[] = [];
  #maps = new Map<number, SeenMap>();
  #chosen: PatProgram | undefined;

  /** @param wanted number of the programme; undefined for the first with audio or video */
  constructor(wanted: number | undefined, sink: ProgramTablesSink) {
    this.#wanted = wanted;
    this.#sink = sink;
  }

  /** Number of the chosen programme. */
  get programNumber(): number | undefined {
    return this.#chosen?.programNumber;
  }

  /** Takes a section of the association table; its CRC is right. */
  pat(section: Uint8Array): void {
    const crc = crcOf(section);
    if (this.#patSections.get(section[6] ?? 0)?.crc === crc) return;
    const pat = readPat(section);
    if (!pat) {
      this.#sink.problem({ code: 'ts_bad_table', detail: 'The programme association table cannot be read' });
      return;
    }
    if (!pat.isCurrent) return;
    for (const [number, other] of this.#patSections) {
      const isOld = other.pat.version !== pat.version || other.pat.lastSectionNumber !== pat.lastSectionNumber;
      if (isOld) this.#patSections.delete(number);
    }
    this.#patSections.set(pat.sectionNumber, { crc, pat });
    if (this.#patSections.size > pat.lastSectionNumber) this.#takePrograms();
  }

  /** Takes a section from a packet identifier of programme maps; its CRC is right. */
  pmt(pid: number, section: Uint8Array): void {
    const programNumber = ((section[3] ?? 0) << 8) | (section[4] ?? 0);
    const program = this.#programs.find((one) => one.programNumber === programNumber && one.pmtPid === pid);
    if (!program || section[0] !== 0x02) return;
    const crc = crcOf(section);
    const seen = this.#maps.get(programNumber);
    if (seen?.crc === crc) {
      if (!this.#chosen) this.#choose(true);
      return;
    }
    const pmt = readPmt(section);
    if (!pmt) {
      this.#sink.problem({ code: 'ts_bad_table', detail: `The map of programme ${programNumber} cannot be read` });
      return;
    }
    if (!pmt.isCurrent) return;
    this.#maps.set(programNumber, { crc, pmt, hasMedia: hasMedia(pmt) });
    if (this.#chosen?.programNumber === programNumber) this.#sink.program(pmt);
    else if (!this.#chosen) this.#choose(false);
  }

  #takePrograms(): void {
    const sections = [...this.#patSections.values()].sort((a, b) => a.pat.sectionNumber - b.pat.sectionNumber);
    this.#programs = sections.flatMap(({ pat }) => pat.programs);
    const known = this.#maps;
    this.#maps = new Map();
    for (const { programNumber } of this.#programs) {
      const map = known.get(programNumber);
      if (map) this.#maps.set(programNumber, map);
    }
    const chosen = this.#programs.find((one) => one.programNumber === (this.#chosen?.programNumber ?? this.#wanted));
    if (this.#wanted !== undefined && !chosen) {
      this.#sink.problem({
        code: 'ts_program_not_found',
        detail: `There is no programme ${this.#wanted}; there are: ${this.#names()}`,
      });
    }
    this.#chosen = this.#chosen && chosen;
    this.#sink.mapPids(
      chosen ? [chosen.pmtPid] : this.#wanted === undefined ? this.#programs.map((one) => one.pmtPid) : [],
    );
  }

  #names(): string {
    const names = this.#programs.slice(0, 20).map((one) => one.programNumber);
    return names.length === 0 ? 'none' : names.join(', ');
  }

  /** @param isRepeated a map came for the second time: those before it have had their chance. */
  #choose(isRepeated: boolean): void {
    for (const program of this.#programs) {
      if (this.#wanted !== undefined && program.programNumber !== this.#wanted) continue;
      const map = this.#maps.get(program.programNumber);
      if (!map && !isRepeated) return;
      if (!map || (!map.hasMedia && this.#wanted === undefined)) continue;
      this.#chosen = program;
      this.#sink.mapPids([program.pmtPid]);
      this.#sink.program(map.pmt);
      return;
    }
    if (!isRepeated)
      this.#sink.problem({
        code: 'input_no_tracks',
        detail: 'No programme carries audio or video that Airdesk can read',
      });
  }
}

function hasMedia(pmt: Pmt): boolean {
  return pmt.streams.some((stream) => {
    const { content } = streamKind(stream, pmt.descriptors);
    return content === 'video' || content === 'audio';
  });
}

function crcOf(section: Uint8Array): number {
  const at = section.length - 4;
  return ((section[at]! << 24) | (section[at + 1]! << 16) | (section[at + 2]! << 8) | section[at + 3]!) >>> 0;
}
