import type { AccessUnit, FormatProblem, MediaSink, SpliceMessage } from '../../src-main/media/access-unit.ts';
import type { Track } from '../../src-main/media/track.ts';

/** Call of a sink, with copies of data that is valid only during the call. */
export type RecordedCall =
  | { readonly tracks: readonly Track[] }
  | { readonly unit: AccessUnit }
  | { readonly splice: SpliceMessage }
  | { readonly problem: FormatProblem };

/** Sink that records all calls. */
export class RecordingSink implements MediaSink {
  readonly calls: RecordedCall[] = [];

  tracks(tracks: readonly Track[]): void {
    this.calls.push({ tracks: [...tracks] });
  }

  accessUnit(unit: AccessUnit): void {
    this.calls.push({ unit: { ...unit, data: Uint8Array.prototype.slice.call(unit.data) } });
  }

  splice(message: SpliceMessage): void {
    this.calls.push({ splice: { ...message, section: Uint8Array.prototype.slice.call(message.section) } });
  }

  problem(problem: FormatProblem): void {
    this.calls.push({ problem });
  }

  /** All access units, or the access units of one track. */
  units(trackId?: string): AccessUnit[] {
    return this.calls.flatMap((call) =>
      'unit' in call && (trackId === undefined || call.unit.trackId === trackId) ? [call.unit] : [],
    );
  }

  get announcements(): (readonly Track[])[] {
    return this.calls.flatMap((call) => ('tracks' in call ? [call.tracks] : []));
  }

  get splices(): SpliceMessage[] {
    return this.calls.flatMap((call) => ('splice' in call ? [call.splice] : []));
  }

  get problems(): FormatProblem[] {
    return this.calls.flatMap((call) => ('problem' in call ? [call.problem] : []));
  }

  /** Codes of the problems, each once. */
  get codes(): string[] {
    return [...new Set(this.problems.map(({ code }) => code))];
  }
}
