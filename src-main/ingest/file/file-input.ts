import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import { sinkMethods } from '../sink-methods.ts';
import { ClosableSink } from './closable-sink.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import { readFileMedia, type FileMedia } from './file-media.ts';
import { resolveInputPath } from './file-path.ts';
import { endOfError, InputFile, type InputFileOptions } from './input-file.ts';
import { LoopSink } from './loop-sink.ts';
import { Pacer } from './pacer.ts';

export interface FileInputOptions extends InputFileOptions {
  /** Path of the file, absolute or under `root`. */
  readonly path: string;
  /** Folder of relative paths, which they cannot leave. */
  readonly root?: string;
  /** Whether the file restarts at its end; default true. */
  readonly loop?: boolean;
  /** Number of the programme in a transport stream; default: the first with audio or video. */
  readonly program?: number;
  /**
   * Plays a file of a kind that this class cannot read, by its resolved path. Without this function such a file ends
   * the input with `input_unreadable`.
   */
  readonly openOther?: (file: OtherFile, sink: InputSink) => MeasuredInput;
  /**
   * Time at which the first frame is due, in epoch milliseconds; default: at once. After a late start, frames are sent faster.
   */
  readonly firstDueMs?: number;
  readonly clock: Clock;
}

/** File of a kind that `FileInput` cannot read. */
interface OtherFile {
  /** Resolved path. */
  readonly path: string;
  readonly loop: boolean;
  readonly firstDueMs?: number;
}

/** Input with a duration, if known. */
export interface MeasuredInput extends Input {
  /** Duration in milliseconds; undefined if unknown. */
  readonly durationMs: number | undefined;
}

/** Number of bytes without an access unit after which a file counts as unreadable. */
const MAX_BYTES_WITHOUT_UNIT = 32 << 20;

/** Minimum number of access units of a file that is looped. */
const MIN_UNITS = 2;

/**
 * Media file as a live input: MPEG-TS or MP4, detected by content, played at its own pace and restarted at its end with
 * continuous times. Ends with `bad_input_url`, `path_not_allowed`, `input_file_not_found`, `input_unreadable`, `input_no_tracks`,
 * or `input_ended` without `loop`.
 */
export class FileInput implements MeasuredInput {
  readonly #options: FileInputOptions;
  readonly #sink: InputSink;
  readonly #pacer: Pacer;
  #running: Promise<void> | undefined;
  #isClosed = false;
  #delegate: MeasuredInput | undefined;
  #durationMs: number | undefined;
  #endDelegate: ((end: InputEnd) => void) | undefined;

  constructor(options: FileInputOptions, sink: InputSink) {
    this.#options = options;
    this.#sink = new ClosableSink(sink, () => this.#isClosed);
    this.#pacer = new Pacer(options.clock, options.firstDueMs);
  }

  get durationMs(): number | undefined {
    return this.#durationMs ?? this.#delegate?.durationMs;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pacer.close();
    await this.#delegate?.close();
    // A closed input ends silently.
    this.#endDelegate?.({ code: 'input_ended', ...because('input_closed') });
    await this.#running;
  }

  async #run(): Promise<void> {
    const end = await this.#play();
    this.#sink.ended(end);
  }

  async #play(): Promise<InputEnd> {
    const resolved = resolveInputPath(this.#options.path, this.#options.root);
    if ('refusal' in resolved) return { code: 'bad_input_url', detail: resolved.refusal };
    const file = new InputFile(resolved.path, this.#options);
    try {
      await file.open();
      const end = await this.#playFile(file);
      if (end) return end;
    } catch (error) {
      file.abandon();
      return endOfError(error);
    } finally {
      await file.close();
    }
    return this.#playDelegate(file.path);
  }

  /** Plays a file of a kind that this class cannot read, through another input. */
  #playDelegate(path: string): Promise<InputEnd> | InputEnd {
    const { openOther, loop, firstDueMs } = this.#options;
    if (!openOther) return { code: 'input_unreadable', ...because('file_not_ts_or_mp4') };
    if (this.#isClosed) return { code: 'input_ended', ...because('input_closed') };
    const ended = Promise.withResolvers<InputEnd>();
    this.#delegate = openOther(
      { path, loop: loop !== false, ...(firstDueMs === undefined ? {} : { firstDueMs }) },
      { ...sinkMethods(this.#sink), ended: ended.resolve },
    );
    this.#delegate.start();
    this.#endDelegate = ended.resolve;
    return ended.promise;
  }

  /** Plays a file of a supported kind; resolves with undefined for another kind. */
  async #playFile(file: FileBytes): Promise<InputEnd | undefined> {
    const media = await readFileMedia(file, this.#options.program);
    if (!media) return undefined;
    if ('code' in media) return media;
    this.#durationMs = media.durationMs;
    for (const problem of media.problems) this.#sink.problem(problem);
    return media.isEmpty ? noTracks(media) : this.#loop(media);
  }

  async #loop(media: FileMedia): Promise<InputEnd> {
    const sink = new LoopSink(this.#sink);
    for (;;) {
      const before = sink.units;
      let bytesWithoutUnit = 0;
      const pass = media.pass(sink, (bytes) => {
        bytesWithoutUnit += bytes;
        this.#sink.received(bytes);
      });
      let units = sink.units;
      while (!this.#isClosed && (await pass.step())) {
        if (sink.units > units) {
          await this.#pacer.pace(sink.lastTicks, sink.units - units);
          units = sink.units;
          bytesWithoutUnit = 0;
        }
        if (bytesWithoutUnit > MAX_BYTES_WITHOUT_UNIT)
          return {
            code: 'input_no_tracks',
            ...because('file_bytes_without_media', { bytes: MAX_BYTES_WITHOUT_UNIT }),
          };
      }
      if (this.#isClosed) return { code: 'input_ended', ...because('input_closed') };
      if (sink.units - before < MIN_UNITS) return { code: 'input_no_tracks', ...because('file_without_media') };
      if (sink.units > units) await this.#pacer.pace(sink.lastTicks, sink.units - units);
      if (this.#options.loop === false) return { code: 'input_ended', ...because('file_ended') };
      sink.nextPass();
    }
  }
}

function noTracks({ problems }: FileMedia): InputEnd {
  const [first] = problems;
  return {
    code: 'input_no_tracks',
    ...(first ? because('file_no_supported_media', { explanation: first }) : because('file_without_media')),
  };
}
