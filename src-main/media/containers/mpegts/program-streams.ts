import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import { encryptedProblem, leftOutProblem } from '../../left-out.ts';
import type { Unroller } from '../../timing/unroll.ts';
import { AudioStream } from './audio-stream.ts';
import { audioSplitter, videoAssembler } from './elementary-codec.ts';
import type { ElementarySink, ElementaryStream } from './elementary-stream.ts';
import { languageOf } from './descriptor.ts';
import type { SplitterMemory } from '../../codecs/nal/picture-splitter.ts';
import { FIRST_FREE_PID, NULL_PID } from './packet.ts';
import type { Pmt, PmtStream } from './pmt.ts';
import { streamKind, type StreamKind } from './stream-kind.ts';
import { VideoStream, videoSyntax } from './video-stream.ts';

/** Elementary stream of the chosen programme, with the description in its map. */
export interface ProgramStream {
  readonly pid: number;
  /** Codec in the map. With another codec the stream is a different stream. */
  readonly identity: string;
  readonly content: 'video' | 'audio';
  readonly trackId: string;
  readonly stream: ElementaryStream;
  /** Current ISO 639-2 language in the map. */
  readonly language: string | undefined;
}

/** Audio or video of a programme map. */
interface StreamRequest {
  readonly entry: PmtStream;
  readonly kind: MediaKind;
}

type MediaKind = Extract<StreamKind, { readonly content: 'video' | 'audio' }>;

/** Maximum number of tracks read of one programme; more are left out. A satellite programme has one video and up to eight audio tracks. */
export const MAX_TRACKS: Readonly<Record<MediaKind['content'], number>> = { video: 4, audio: 16 };
/** Maximum number of splice packet identifiers read of one programme. */
const MAX_SPLICE_PIDS = 4;
/** Maximum number of distinct messages of one input about unsupported streams. */
const MAX_REPORTS = 64;

export interface ProgramStreamOptions {
  readonly clock: Unroller;
  readonly sink: ElementarySink;
  /** Memory for pictures that are not complete. */
  readonly memory: SplitterMemory;
  /** See `VideoStreamOptions.isLive`. */
  readonly isLive: boolean;
  readonly problem: (problem: FormatProblem) => void;
  /** Decoder configurations known before their parameter sets come, by packet identifier. */
  readonly configs?: ReadonlyMap<number, Uint8Array>;
}

/** Streams of the chosen programme, updated with each change of its map. */
export class ProgramStreams {
  readonly #options: ProgramStreamOptions;
  readonly #reported = new Set<string>();
  /** Detail of the problem of each stream that is left out, by packet identifier. */
  readonly #leftOut = new Map<number, string>();
  #streams: readonly ProgramStream[] = [];
  #splicePids: readonly number[] = [];

  constructor(options: ProgramStreamOptions) {
    this.#options = options;
  }

  /** Audio and video, video first, in the order of their track ids. */
  get streams(): readonly ProgramStream[] {
    return this.#streams;
  }

  /** Packet identifiers that carry splice information sections. */
  get splicePids(): readonly number[] {
    return this.#splicePids;
  }

  /** Processes a programme map. Streams that continue are kept with their track ids. */
  apply(pmt: Pmt): void {
    const splicePids: number[] = [];
    const supported: StreamRequest[] = [];
    const pids = new Set<number>();
    const room = { ...MAX_TRACKS };
    let surplus = 0;
    for (const entry of pmt.streams) {
      if (entry.pid < FIRST_FREE_PID || entry.pid === NULL_PID || pids.has(entry.pid)) continue;
      pids.add(entry.pid);
      const kind = streamKind(entry, pmt.descriptors);
      if (kind.content === 'unknown') this.#reportUnknown(entry.pid, kind.name, kind.medium);
      else if (kind.content === 'splice' && splicePids.length < MAX_SPLICE_PIDS) splicePids.push(entry.pid);
      else if ((kind.content === 'video' || kind.content === 'audio') && room[kind.content]-- > 0)
        supported.push({ entry, kind });
      else if (kind.content !== 'data' && kind.content !== 'undeclared') surplus++;
    }
    if (surplus > 0) {
      const { video, audio } = MAX_TRACKS;
      this.#report({
        code: 'ts_too_many_tracks',
        ...because('ts_tracks_left_out', { count: surplus, video, audio }),
      });
    }
    this.#forgetRemoved(pmt);
    this.#splicePids = splicePids;

    const continued = this.#continuedStreams(supported);
    const ids = new Set([...continued.values()].map(({ trackId }) => trackId));
    const streams: ProgramStream[] = [];
    for (const { entry, kind } of supported) {
      const { pid } = entry;
      const language = languageOf(entry.descriptors);
      const existing = continued.get(pid);
      if (existing?.identity === kind.codec) {
        streams.push(
          existing.pid === pid && existing.language === language ? existing : { ...existing, pid, language },
        );
        continue;
      }
      const trackId = existing?.trackId ?? freeId(kind.content, ids);
      const stream = this.#make(entry, kind, trackId, language);
      if (stream) streams.push({ pid, identity: kind.codec, content: kind.content, trackId, stream, language });
      else this.#reportUnknown(pid, `${kind.codec} in an unknown arrangement of channels`, 'audio');
    }
    this.#streams = streams.sort(byTrackId);
  }

  /**
   * Streams that continue, by their packet identifier in the new map. A stream whose packet identifier was removed continues on a
   * new identifier with the same codec and language.
   */
  #continuedStreams(streams: readonly StreamRequest[]): ReadonlyMap<number, ProgramStream> {
    const continued = new Map<number, ProgramStream>();
    const removed = new Set(this.#streams);
    for (const { entry, kind } of streams) {
      const existing = this.#streams.find(({ pid }) => pid === entry.pid);
      if (existing?.content !== kind.content) continue;
      continued.set(entry.pid, existing);
      removed.delete(existing);
    }
    for (const { entry, kind } of streams) {
      if (continued.has(entry.pid)) continue;
      const language = languageOf(entry.descriptors);
      const moved = [...removed].find((one) => one.identity === kind.codec && one.language === language);
      if (!moved) continue;
      continued.set(entry.pid, moved);
      removed.delete(moved);
    }
    return continued;
  }

  #make(
    entry: PmtStream,
    kind: MediaKind,
    trackId: string,
    language: string | undefined,
  ): ElementaryStream | undefined {
    const { clock, sink, problem, memory, isLive } = this.#options;
    const options = { trackId, sourceId: entry.pid, ...(language === undefined ? {} : { language }), problem };
    if (kind.content === 'video') {
      const assembler = videoAssembler(kind.codec, options);
      const syntax = videoSyntax(kind.codec);
      const config = this.#options.configs?.get(entry.pid);
      if (config) {
        assembler.configure(config);
        syntax.configure(config);
      }
      const tooLarge = (): void => {
        problem({
          code: 'pes_too_large',
          ...because('ts_unit_too_large', { pid: entry.pid }),
        });
      };
      return new VideoStream(trackId, { assembler, syntax, clock, sink, memory, isLive, tooLarge });
    }
    const splitter = audioSplitter(kind.codec, entry.descriptors, options);
    return splitter && new AudioStream(trackId, splitter, clock, sink);
  }

  #reportUnknown(pid: number, name: string, medium: MediaKind['content']): void {
    const problem = leftOutProblem(medium, name, because('place_pid', { pid }));
    this.#leftOut.set(pid, problem.detail);
    this.#report(problem);
  }

  /** Reports a scrambled stream as left out, unless its format is known or it was reported before. */
  reportScrambled({ pid, content, identity, stream }: ProgramStream): void {
    if (stream.track || this.#leftOut.has(pid)) return;
    const problem = encryptedProblem(content, identity, because('place_pid', { pid }));
    this.#leftOut.set(pid, problem.detail);
    this.#report({ ...problem, code: 'ts_scrambled' });
  }

  /** Forgets streams that left the map or are supported now, so that they are reported again if they are left out again. */
  #forgetRemoved(pmt: Pmt): void {
    for (const [pid, detail] of this.#leftOut) {
      const entry = pmt.streams.find((one) => one.pid === pid);
      if (entry && streamKind(entry, pmt.descriptors).content === 'unknown') continue;
      this.#leftOut.delete(pid);
      this.#reported.delete(detail);
    }
  }

  #report(problem: FormatProblem): void {
    if (this.#reported.has(problem.detail) || this.#reported.size >= MAX_REPORTS) return;
    this.#reported.add(problem.detail);
    this.#options.problem(problem);
  }
}

function freeId(content: 'video' | 'audio', used: Set<string>): string {
  for (let number = 1; ; number++) {
    const id = `${content === 'video' ? 'v' : 'a'}${number}`;
    if (used.has(id)) continue;
    used.add(id);
    return id;
  }
}

function byTrackId(a: ProgramStream, b: ProgramStream): number {
  if (a.content !== b.content) return a.content === 'video' ? -1 : 1;
  return Number(a.trackId.slice(1)) - Number(b.trackId.slice(1));
}
