import type { FileHandle } from 'node:fs/promises';
import type { LocateFile } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { FileTurns } from '../../lib/file-turns.ts';
import { openRegularFile } from '../../lib/regular-file.ts';
import type { Movie } from '../../media/containers/isobmff/movie.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import { ClosableSink } from './closable-sink.ts';
import type { FileBytes } from './file-bytes.ts';
import { fileKindOf, KIND_BYTES } from './file-kind.ts';
import type { FilePass } from './file-pass.ts';
import { resolveInputPath } from './file-path.ts';
import { LoopSink } from './loop-sink.ts';
import { openMovie } from './mp4-file.ts';
import { Mp4Pass } from './mp4-pass.ts';
import { Pacer } from './pacer.ts';
import { TsPass } from './ts-pass.ts';

/** What a `file://` input is made with. */
export interface FileInputOptions {
  /** Path of the file, absolute or under `root`. */
  readonly path: string;
  /** Folder that a path which is not absolute lies in, and cannot leave. */
  readonly root?: string;
  /** Finds where the path leads to, when the file is opened; without it any file may be read. */
  readonly locate?: LocateFile;
  /** Whether the file starts again at its end; default true. */
  readonly loop?: boolean;
  /** Number of the programme in a transport stream; default: the first with audio or video. */
  readonly program?: number;
  /** Plays a file of a kind that is not known here, by its resolved path; without it such a file is `input_unreadable`. */
  readonly openOther?: (file: OtherFile, sink: InputSink) => MeasuredInput;
  /** When the first frame is due, in epoch milliseconds; without it at once. What is late is caught up with. */
  readonly firstDueMs?: number;
  readonly clock: Clock;
  /** Turns at the file, which may hang; without them it is read at once. */
  readonly turns?: FileTurns;
}

/** A file of a kind that is not known here. */
interface OtherFile {
  /** Resolved path. */
  readonly path: string;
  readonly loop: boolean;
  readonly firstDueMs?: number;
}

/** An input that may know how long it lasts. */
export interface MeasuredInput extends Input {
  /** Length in milliseconds; undefined where unknown. */
  readonly durationMs: number | undefined;
}

/** Bytes of a file that may pass without an access unit before it is given up. */
const MOST_BARREN_BYTES = 32 << 20;

/** The shortest file, in access units a pass, that makes sense to play in a loop. */
const LEAST_UNITS = 2;

/**
 * A media file as a live input: MPEG-TS or MP4, distinguished by its content, played at its own pace and from the start
 * again at its end, with times that go on.
 *
 * Ends with `bad_input_url`, `path_not_allowed`, `input_file_not_found`, `input_unreadable`, `input_no_tracks`, or `input_ended` without `loop`.
 */
export class FileInput implements MeasuredInput {
  readonly #options: FileInputOptions;
  readonly #sink: InputSink;
  readonly #pacer: Pacer;
  #running: Promise<void> | undefined;
  #isClosed = false;
  #other: MeasuredInput | undefined;
  #durationMs: number | undefined;
  #endOther: ((end: InputEnd) => void) | undefined;

  constructor(options: FileInputOptions, sink: InputSink) {
    this.#options = options;
    this.#sink = new ClosableSink(sink, () => this.#isClosed);
    this.#pacer = new Pacer(options.clock, options.firstDueMs);
  }

  get durationMs(): number | undefined {
    return this.#durationMs ?? this.#other?.durationMs;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pacer.close();
    await this.#other?.close();
    // A closed input ends without a word.
    this.#endOther?.({ code: 'input_ended', detail: 'The input was closed.' });
    await this.#running;
  }

  async #run(): Promise<void> {
    const end = await this.#play();
    this.#sink.ended(end);
  }

  async #play(): Promise<InputEnd> {
    const resolved = resolveInputPath(this.#options.path, this.#options.root);
    if ('refusal' in resolved) return { code: 'bad_input_url', detail: resolved.refusal };
    const { locate, turns } = this.#options;
    let handle: FileHandle | undefined;
    let path = resolved.path;
    try {
      const opened = await inTurn(turns, path, async () => {
        if (locate) path = await locate(path);
        const file = await openRegularFile(path);
        return { file, sizeBytes: (await file.stat()).size };
      });
      handle = opened.file;
      const end = await this.#playFile(fileBytes(opened.file, opened.sizeBytes, resolved.path, turns));
      if (end) return end;
    } catch (error) {
      // To close it waits for a read that hangs.
      handle?.close().catch(() => undefined);
      handle = undefined;
      return endOfError(error);
    } finally {
      await handle?.close();
    }
    return this.#playOther(path);
  }

  /** Lets another input play a file of a kind that is not known here. */
  #playOther(path: string): Promise<InputEnd> | InputEnd {
    const { openOther, loop, firstDueMs } = this.#options;
    if (!openOther)
      return { code: 'input_unreadable', detail: 'The file is neither an MPEG transport stream nor MP4.' };
    if (this.#isClosed) return { code: 'input_ended', detail: 'The input was closed.' };
    const ended = Promise.withResolvers<InputEnd>();
    const sink = this.#sink;
    this.#other = openOther(
      { path, loop: loop !== false, ...(firstDueMs === undefined ? {} : { firstDueMs }) },
      {
        tracks: (tracks) => {
          sink.tracks(tracks);
        },
        accessUnit: (unit) => {
          sink.accessUnit(unit);
        },
        splice: (message) => {
          sink.splice(message);
        },
        problem: (problem) => {
          sink.problem(problem);
        },
        received: (bytes) => {
          sink.received(bytes);
        },
        ended: ended.resolve,
      },
    );
    this.#other.start();
    this.#endOther = ended.resolve;
    return ended.promise;
  }

  async #playFile(file: FileBytes): Promise<InputEnd | undefined> {
    const head = new Uint8Array(KIND_BYTES);
    const kind = fileKindOf(head.subarray(0, await file.read(head, 0)));
    if (kind === undefined) return undefined;
    const sink = new LoopSink(this.#sink);
    if (kind === 'mpegts')
      return this.#loop(sink, (received) => new TsPass(file, this.#options.program, sink, received));
    const movie = await openMovie(file);
    if (typeof movie === 'string') return { code: 'input_unreadable', detail: movie };
    this.#durationMs = movie.durationMs;
    for (const problem of movie.problems) this.#sink.problem(problem);
    if (movie.tracks.length === 0) return noTracks(movie);
    return this.#loop(sink, (received) => new Mp4Pass(file, movie, sink, received));
  }

  async #loop(sink: LoopSink, makePass: (received: (bytes: number) => void) => FilePass): Promise<InputEnd> {
    for (;;) {
      const before = sink.units;
      let barrenBytes = 0;
      const pass = makePass((bytes) => {
        barrenBytes += bytes;
        this.#sink.received(bytes);
      });
      let units = sink.units;
      while (!this.#isClosed && (await pass.step())) {
        if (sink.units > units) {
          await this.#pacer.pace(sink.lastTicks, sink.units - units);
          units = sink.units;
          barrenBytes = 0;
        }
        if (barrenBytes > MOST_BARREN_BYTES)
          return {
            code: 'input_no_tracks',
            detail: `${MOST_BARREN_BYTES} bytes of the file hold neither audio nor video.`,
          };
      }
      if (this.#isClosed) return { code: 'input_ended', detail: 'The input was closed.' };
      if (sink.units - before < LEAST_UNITS)
        return { code: 'input_no_tracks', detail: 'The file holds no audio or video that Airdesk can read.' };
      if (sink.units > units) await this.#pacer.pace(sink.lastTicks, sink.units - units);
      if (this.#options.loop === false) return { code: 'input_ended', detail: 'The file was played to its end.' };
      sink.nextPass();
    }
  }
}

function inTurn<T>(turns: FileTurns | undefined, path: string, work: () => Promise<T>): Promise<T> {
  return turns ? turns.run(path, work) : work();
}

function fileBytes(handle: FileHandle, sizeBytes: number, path: string, turns: FileTurns | undefined): FileBytes {
  return {
    sizeBytes,
    async read(target, position) {
      let length = 0;
      while (length < target.length) {
        const { bytesRead } = await inTurn(turns, path, () =>
          handle.read(target, length, target.length - length, position + length),
        );
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return length;
    },
  };
}

function noTracks(movie: Movie): InputEnd {
  const why = movie.problems.map((problem) => problem.detail).join(' ');
  return { code: 'input_no_tracks', detail: `The file holds no audio or video that Airdesk can read. ${why}`.trim() };
}

/** Why a file cannot be opened or read, as the end of an input. */
export function endOfError(error: unknown): InputEnd {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const detail = messageOf(error);
  if (code === 'path_not_allowed') return { code, detail };
  return { code: code === 'ENOENT' || code === 'ENOTDIR' ? 'input_file_not_found' : 'input_unreadable', detail };
}
