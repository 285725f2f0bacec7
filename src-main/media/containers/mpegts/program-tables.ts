import { because, type Explained } from '../../../../src-preload/contract/explanations/explanations.ts';
import { TokenBucket } from '../../../lib/limits/token-bucket.ts';
import type { FormatProblem, LeftOutTrack } from '../../access-unit.ts';
import { readPat, type Pat, type PatProgram } from './pat.ts';
import { readPmt, type Pmt } from './pmt.ts';
import { streamKind } from './stream-kind.ts';

/** Number of changes of tables that may follow each other without a pause. */
const BURST = 16;

/** Number of packets per additional change: limits the processor time that changes can take. */
const PACKETS_PER_CHANGE = 1000;

/** Receives the content of the tables. */
export interface ProgramTablesSink {
  /** Sets the packet identifiers from which programme maps are read, without repeats. */
  mapPids(pids: readonly number[]): void;
  /** Called when the programme is chosen, and when its map changes. */
  program(pmt: Pmt): void;
  problem(problem: FormatProblem): void;
  /** Number of packets of the transport stream so far. */
  packets(): number;
}

interface ReceivedMap {
  readonly crc: number;
  readonly pmt: Pmt;
  /** Whether the programme has audio or video (`some`), or a stream whose content is not known yet (`maybe`). */
  readonly media: 'some' | 'maybe' | 'none';
}

/** Maximum number of programmes and sections of an association table; a satellite multiplex has some twenty. */
const MAX_PROGRAMS = 256;
const MAX_SECTIONS = 8;
/** Maximum number of names listed in a message. */
const MAX_NAMES = 20;

/**
 * Reads programme association and programme map tables, and chooses a programme: the one with the given number; otherwise the
 * first of the association table that carries audio or video and is not scrambled; otherwise the first whose content is not
 * known yet. Repeated tables without changes cost nothing. Tables that change too often are ignored for some time.
 */
export class ProgramTables {
  readonly #sink: ProgramTablesSink;
  readonly #programNumber: number | undefined;
  readonly #allowance = new TokenBucket(BURST, PACKETS_PER_CHANGE);
  readonly #patSections = new Map<number, { readonly crc: number; readonly pat: Pat }>();
  #programs: readonly PatProgram[] = [];
  #maps = new Map<number, ReceivedMap>();
  #chosen: PatProgram | undefined;
  readonly #scrambled = new Set<number>();
  #isRefusing = false;

  /** @param program number of the programme; undefined for the first with audio or video */
  constructor(program: number | undefined, sink: ProgramTablesSink) {
    this.#programNumber = program;
    this.#sink = sink;
  }

  /** Number of the chosen programme. */
  get programNumber(): number | undefined {
    return this.#chosen?.programNumber;
  }

  /** Processes a section of the association table; its CRC is right. */
  pat(section: Uint8Array): void {
    const crc = crcOf(section);
    const sectionNumber = section[6] ?? 0;
    if (sectionNumber >= MAX_SECTIONS || this.#patSections.get(sectionNumber)?.crc === crc) return;
    if (!this.#mayChange()) return;
    const pat = readPat(section);
    if (!pat) {
      this.#sink.problem({ code: 'ts_bad_table', ...because('ts_pat_damaged') });
      return;
    }
    if (!pat.isCurrent) return;
    for (const [number, other] of this.#patSections) {
      const isOld = other.pat.version !== pat.version || other.pat.lastSectionNumber !== pat.lastSectionNumber;
      if (isOld) this.#patSections.delete(number);
    }
    this.#patSections.set(pat.sectionNumber, { crc, pat });
    if (this.#patSections.size > Math.min(pat.lastSectionNumber, MAX_SECTIONS - 1)) this.#takePrograms();
  }

  /** Processes a section from a packet identifier of programme maps; its CRC is right. */
  pmt(pid: number, section: Uint8Array): void {
    const programNumber = ((section[3] ?? 0) << 8) | (section[4] ?? 0);
    const chosen = this.#chosen?.programNumber;
    if (section[0] !== 0x02 || (chosen !== undefined && chosen !== programNumber)) return;
    const program = this.#programs.find((one) => one.programNumber === programNumber && one.pmtPid === pid);
    if (!program) return;
    const crc = crcOf(section);
    const seen = this.#maps.get(programNumber);
    if (seen?.crc === crc) {
      if (!this.#chosen) this.#choose(true);
      return;
    }
    // The first map of each programme comes with the association table; only later maps are changes.
    if (seen && !this.#mayChange()) return;
    const pmt = readPmt(section);
    if (!pmt) {
      this.#sink.problem({ code: 'ts_bad_table', ...because('ts_pmt_damaged', { program: programNumber }) });
      return;
    }
    if (!pmt.isCurrent) return;
    this.#maps.set(programNumber, { crc, pmt, media: mediaOf(pmt) });
    if (this.#chosen?.programNumber === programNumber) this.#sink.program(pmt);
    else if (!this.#chosen) this.#choose(false);
  }

  /**
   * Chooses another programme, because all tracks of the chosen one are scrambled; does nothing if the operator has chosen the
   * programme.
   */
  leaveScrambled(): void {
    const chosen = this.#chosen;
    if (!chosen || this.#programNumber !== undefined || this.#scrambled.has(chosen.programNumber)) return;
    this.#scrambled.add(chosen.programNumber);
    if (this.#programs.every((one) => this.#scrambled.has(one.programNumber))) return;
    this.#chosen = undefined;
    // The maps of the other programmes were ignored so far, so they are read again.
    this.#maps.clear();
    this.#sink.mapPids(pidsOf(this.#programs));
  }

  #mayChange(): boolean {
    const isAllowed = this.#allowance.take(this.#sink.packets());
    if (!isAllowed && !this.#isRefusing) {
      this.#sink.problem({
        code: 'ts_too_many_changes',
        ...because('ts_tables_change'),
      });
    }
    this.#isRefusing = !isAllowed;
    return isAllowed;
  }

  #takePrograms(): void {
    const sections = [...this.#patSections.values()].sort((a, b) => a.pat.sectionNumber - b.pat.sectionNumber);
    this.#programs = sections.flatMap(({ pat }) => pat.programs).slice(0, MAX_PROGRAMS);
    const maps = this.#maps;
    this.#maps = new Map();
    this.#scrambled.clear();
    for (const { programNumber } of this.#programs) {
      const map = maps.get(programNumber);
      if (map) this.#maps.set(programNumber, map);
    }
    const chosen = this.#programs.find(
      (one) => one.programNumber === (this.#chosen?.programNumber ?? this.#programNumber),
    );
    if (this.#programNumber !== undefined && !chosen) {
      this.#sink.problem({ code: 'ts_program_not_found', ...this.#notFound(this.#programNumber) });
    }
    this.#chosen = this.#chosen && chosen;
    this.#sink.mapPids(chosen ? [chosen.pmtPid] : this.#programNumber === undefined ? pidsOf(this.#programs) : []);
  }

  #notFound(program: number): Explained {
    const programs = this.#programs.slice(0, MAX_NAMES).map((one) => one.programNumber);
    if (programs.length === 0) return because('ts_no_programs', { program });
    return because('ts_no_program', { program, programs: programs.join(', ') });
  }

  /** @param isRepeated whether a map came for the second time, so that all others had their chance */
  #choose(isRepeated: boolean): void {
    const clear = this.#programs.filter((one) => !this.#scrambled.has(one.programNumber));
    const scrambled = this.#programs.filter((one) => this.#scrambled.has(one.programNumber));
    let undeclared: { readonly program: PatProgram; readonly map: ReceivedMap } | undefined;
    for (const program of [...clear, ...scrambled]) {
      const { programNumber } = program;
      if (this.#programNumber !== undefined && programNumber !== this.#programNumber) continue;
      const map = this.#maps.get(programNumber);
      if (!map && !isRepeated) return;
      if (!map) continue;
      if (map.media === 'some' || this.#programNumber !== undefined) {
        this.#take(program, map);
        return;
      }
      if (map.media === 'maybe') undeclared ??= { program, map };
    }
    if (undeclared) this.#take(undeclared.program, undeclared.map);
    else if (!isRepeated) this.#reportNoMedia();
  }

  #take(program: PatProgram, map: ReceivedMap): void {
    this.#chosen = program;
    this.#sink.mapPids([program.pmtPid]);
    this.#sink.program(map.pmt);
  }

  #reportNoMedia(): void {
    const unknowns = new Map<string, LeftOutTrack>();
    for (const { pmt } of this.#maps.values()) for (const one of unknownsOf(pmt)) unknowns.set(one.codec, one);
    const leftOut = [...unknowns.values()].slice(0, MAX_NAMES);
    const list = leftOut.map(({ codec }) => codec).join(', ');
    this.#sink.problem({
      code: 'input_no_tracks',
      detail:
        list === ''
          ? 'No programme carries audio or video that Airdesk can read'
          : `The programmes carry ${list}, which Airdesk does not carry`,
      ...(leftOut.length === 0 ? {} : { leftOut }),
    });
  }
}

/** Unsupported tracks of a programme, each codec once. */
export function unknownsOf(pmt: Pmt): readonly LeftOutTrack[] {
  const found = pmt.streams.flatMap((stream) => {
    const kind = streamKind(stream, pmt.descriptors);
    return kind.content === 'unknown' ? [[kind.name, { content: kind.medium, codec: kind.name }] as const] : [];
  });
  return [...new Map(found).values()];
}

function pidsOf(programs: readonly PatProgram[]): readonly number[] {
  return [...new Set(programs.map((one) => one.pmtPid))];
}

function mediaOf(pmt: Pmt): ReceivedMap['media'] {
  const contents = pmt.streams.map((stream) => streamKind(stream, pmt.descriptors).content);
  if (contents.some((content) => content === 'video' || content === 'audio')) return 'some';
  return contents.includes('undeclared') ? 'maybe' : 'none';
}

function crcOf(section: Uint8Array): number {
  const at = section.length - 4;
  return ((section[at]! << 24) | (section[at + 1]! << 16) | (section[at + 2]! << 8) | section[at + 3]!) >>> 0;
}
