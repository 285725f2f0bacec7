import type { LocateFile } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import { openRegularFile } from '../../lib/regular-file.ts';
import { ClosableSink } from '../file/closable-sink.ts';
import type { FileInputOptions, MeasuredInput } from '../file/file-input.ts';
import { FileInput } from '../file/file-input.ts';
import { endOfError } from '../file/input-file.ts';
import { resolveInputPath } from '../file/file-path.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import { JoinSink } from './join-sink.ts';
import { MAX_PLAYLIST_BYTES, nextIndex, parsePlaylist, type PlaylistEntry } from './playlist-text.ts';

/** What a playlist plays at the moment. */
export interface PlaylistPosition {
  /** The entry as it is written. */
  readonly currentEntry: string;
  readonly currentType: 'file';
  /** Length of the entry in milliseconds; null while unknown. */
  readonly durationMs: number | null;
  /** Where in the entry it is, in milliseconds. */
  readonly positionMs: number;
}

/** What a `playlist://` input is made with. */
export interface PlaylistInputOptions extends Pick<FileInputOptions, 'openOther' | 'turns' | 'locate'> {
  /** Path of the playlist, absolute or under `root`. */
  readonly path: string;
  /** Folder that relative paths lie in, that of the playlist and those of its entries, and which they cannot leave. */
  readonly root: string;
  /** As `locate`, for what the list names; without it any file may be. */
  readonly locateEntry?: LocateFile;
  /** Where an entry leads that begins with the prefix of a VOD location; undefined for any other one, and where that has no such file. */
  readonly locateNamed?: (path: string) => Promise<string | undefined>;
  /** Whether it begins again at its end; default true. */
  readonly loop?: boolean;
  readonly clock: Clock;
}

/** An entry that would be later than this starts at once: the pause is not made up for. */
const MAX_LAG_MS = 5000;
/** Lengths that are kept, learned from what was played. */
const MAX_LENGTHS = 1000;

/**
 * A playlist of files as one live input: entry after entry at its own pace, without a gap between their times. The list is read again
 * when it has changed, at the end of the entry that plays then.
 *
 * Ends with `bad_input_url`, `path_not_allowed`, `input_file_not_found`, `input_unreadable`, `input_no_tracks` where no entry can be played, or `input_ended` without
 * `loop`. An entry that cannot be played is left out, with the problem `playlist_entry_skipped`.
 */
export class PlaylistInput implements Input {
  readonly #options: PlaylistInputOptions;
  readonly #sink: InputSink;
  readonly #join: JoinSink;
  readonly #lengths = new Map<string, number>();
  #entries: readonly PlaylistEntry[] = [];
  #version = '';
  #current: { readonly entry: PlaylistEntry; readonly input: MeasuredInput } | undefined;
  #stopEntry: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PlaylistInputOptions, sink: InputSink) {
    this.#options = options;
    this.#sink = new ClosableSink(sink, () => this.#isClosed);
    this.#join = new JoinSink(this.#sink);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What plays; undefined before the first entry and after the end. */
  get state(): PlaylistPosition | undefined {
    // What cannot be played may be a line of any file: it is never shown.
    if (!this.#current || this.#isClosed || !this.#join.hasUnits) return undefined;
    const { entry, input } = this.#current;
    const durationMs = input.durationMs ?? this.#lengths.get(entry.path) ?? entry.durationMs ?? null;
    return { currentEntry: entry.path, currentType: 'file', durationMs, positionMs: this.#join.positionMs };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopEntry?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#sink.ended(await this.#play());
  }

  async #play(): Promise<InputEnd> {
    const failure = await this.#read();
    if (failure) return failure;
    let dueMs = Number.NaN;
    let index = 0;
    let playedInRound = 0;
    for (;;) {
      if (this.#isClosed) return { code: 'input_ended', detail: 'The input was closed.' };
      const entry = this.#entries[index];
      if (!entry) {
        if (playedInRound === 0)
          return { code: 'input_no_tracks', detail: 'The playlist has no entry that can be played.' };
        if (this.#options.loop === false) return { code: 'input_ended', detail: 'The playlist was played to its end.' };
        index = 0;
        playedInRound = 0;
        continue;
      }
      const now = this.#options.clock.now();
      if (!(now - dueMs < MAX_LAG_MS)) dueMs = now;
      const lengthMs = await this.#playEntry(entry, index + 1, dueMs);
      if (lengthMs > 0) playedInRound++;
      dueMs += lengthMs;
      const changed = await this.#read();
      if (changed && this.#entries.length === 0) return changed;
      index = nextIndex(this.#entries, index, entry.path);
    }
  }

  /** Plays one entry. @param place in the list, counted from 1 @returns its length in milliseconds, 0 where it could not be played. */
  async #playEntry(entry: PlaylistEntry, place: number, firstDueMs: number): Promise<number> {
    const { root, clock, openOther, turns, locateEntry } = this.#options;
    const found = await this.#findNamed(entry);
    const join = this.#join;
    join.nextEntry();
    const ended = Promise.withResolvers<InputEnd | undefined>();
    const sink = this.#sink;
    const input = new FileInput(
      {
        path: found ?? entry.path,
        root,
        loop: false,
        clock,
        firstDueMs,
        ...(openOther ? { openOther } : {}),
        ...(turns ? { turns } : {}),
        ...(locateEntry && found === undefined ? { locate: locateEntry } : {}),
      },
      {
        tracks: (tracks) => {
          join.tracks(tracks);
        },
        accessUnit: (unit) => {
          join.accessUnit(unit);
        },
        splice: (message) => {
          join.splice(message);
        },
        problem: (problem) => {
          join.problem(problem);
        },
        received: (bytes) => {
          sink.received(bytes);
        },
        ended: ended.resolve,
      },
    );
    this.#stopEntry = () => {
      ended.resolve(undefined);
    };
    this.#current = { entry, input };
    input.start();
    const end = await ended.promise;
    await input.close();
    join.endEntry();
    if (!end) return 0;
    if (end.code !== 'input_ended')
      sink.problem({
        code: 'playlist_entry_skipped',
        detail: `Entry ${place} of the list cannot be played (${end.code})`,
      });
    if (join.hasUnits && this.#lengths.size < MAX_LENGTHS) this.#lengths.set(entry.path, Math.round(join.lengthMs));
    return join.lengthMs;
  }

  /** Where an entry lies that is one of a VOD location. A disk that does not answer has none. */
  async #findNamed({ path }: PlaylistEntry): Promise<string | undefined> {
    const { locateNamed, turns } = this.#options;
    if (!locateNamed) return undefined;
    const find = async (): Promise<string | undefined> => locateNamed(path);
    return (turns ? turns.run(path, find) : find()).catch(() => undefined);
  }

  /** Reads the list where it is new or has changed. What cannot be read changes nothing, and is reported. */
  async #read(): Promise<InputEnd | undefined> {
    const resolved = resolveInputPath(this.#options.path, this.#options.root);
    if ('refusal' in resolved) return { code: 'bad_input_url', detail: resolved.refusal };
    const { locate, turns } = this.#options;
    const read = async (): Promise<InputEnd | undefined> =>
      this.#readFile(locate ? await locate(resolved.path) : resolved.path);
    try {
      return await (turns ? turns.run(resolved.path, read) : read());
    } catch (error) {
      return endOfError(error);
    }
  }

  async #readFile(path: string): Promise<InputEnd | undefined> {
    const handle = await openRegularFile(path);
    try {
      const { size, mtimeMs, ino } = await handle.stat();
      const version = `${ino} ${size} ${mtimeMs}`;
      if (version === this.#version) return undefined;
      if (size > MAX_PLAYLIST_BYTES)
        return {
          code: 'input_unreadable',
          detail: `The playlist has ${size} bytes; ${MAX_PLAYLIST_BYTES} is the limit.`,
        };
      this.#entries = parsePlaylist(await handle.readFile('utf8'));
      this.#version = version;
      return undefined;
    } finally {
      await handle.close();
    }
  }
}
