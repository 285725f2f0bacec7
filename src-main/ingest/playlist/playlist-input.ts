import { because } from '../../../src-preload/contract/explanations/explanations.ts';
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

/** Current position of a playlist. */
export interface PlaylistPosition {
  /** Entry as written. */
  readonly currentEntry: string;
  readonly currentType: 'file';
  /** Duration of the entry in milliseconds; null if unknown. */
  readonly durationMs: number | null;
  /** Position in the entry, in milliseconds. */
  readonly positionMs: number;
}

export interface PlaylistInputOptions extends Pick<FileInputOptions, 'openOther' | 'turns' | 'locate'> {
  /** Path of the playlist, absolute or under `root`. */
  readonly path: string;
  /** Folder of relative paths, of the playlist and of its entries, which they cannot leave. */
  readonly root: string;
  /** Like `locate`, for entries of the list; without it any file is allowed. */
  readonly locateEntry?: LocateFile;
  /** Resolves an entry that starts with the prefix of a VOD location; undefined for other entries, and for missing files. */
  readonly locateNamed?: (path: string) => Promise<string | undefined>;
  /** Whether it restarts at its end; default true. */
  readonly loop?: boolean;
  readonly clock: Clock;
}

/** Maximum delay of an entry that is made up for. An entry with a longer delay starts at the current time. */
const MAX_LAG_MS = 5000;
/** Maximum number of durations remembered from played entries. */
const MAX_DURATIONS = 1000;

/**
 * Playlist of files as one live input: entry after entry at its own pace, with continuous times. A changed list is read again at
 * the end of the current entry. Ends with `bad_input_url`, `path_not_allowed`, `input_file_not_found`, `input_unreadable`,
 * `input_no_tracks` if no entry can be played, or `input_ended` without `loop`. An unplayable entry is skipped with the problem
 * `playlist_entry_skipped`.
 */
export class PlaylistInput implements Input {
  readonly #options: PlaylistInputOptions;
  readonly #sink: InputSink;
  readonly #join: JoinSink;
  readonly #durations = new Map<string, number>();
  #entries: readonly PlaylistEntry[] = [];
  #version = '';
  #current: { readonly entry: PlaylistEntry; readonly input: MeasuredInput } | undefined;
  /** Position at the end of the last entry, for the time until the next one has its first unit. */
  #lastPosition: PlaylistPosition | undefined;
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

  /** Current position; undefined before the first entry and after the end. */
  get state(): PlaylistPosition | undefined {
    if (!this.#current || this.#isClosed) return undefined;
    // Not shown before its first unit: an unplayable entry may be a line of any file.
    if (!this.#join.hasUnits) return this.#lastPosition;
    const { entry, input } = this.#current;
    const durationMs = input.durationMs ?? this.#durations.get(entry.path) ?? entry.durationMs ?? null;
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
      if (this.#isClosed) return { code: 'input_ended', ...because('input_closed') };
      const entry = this.#entries[index];
      if (!entry) {
        if (playedInRound === 0) return { code: 'input_no_tracks', ...because('playlist_unplayable') };
        if (this.#options.loop === false) return { code: 'input_ended', ...because('list_ended') };
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

  /**
   * Plays one entry.
   *
   * @param number position in the list, from 1
   * @returns its duration in milliseconds, 0 if it could not be played
   */
  async #playEntry(entry: PlaylistEntry, number: number, firstDueMs: number): Promise<number> {
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
    this.#lastPosition = this.state;
    if (!end) return 0;
    if (end.code !== 'input_ended')
      sink.problem({
        code: 'playlist_entry_skipped',
        ...because('playlist_entry_failed', { number: number, code: end.code }),
      });
    if (join.hasUnits && this.#durations.size < MAX_DURATIONS)
      this.#durations.set(entry.path, Math.round(join.lengthMs));
    return join.lengthMs;
  }

  /** Path of an entry of a VOD location; undefined for other entries, missing files, and a disk that does not answer. */
  async #findNamed({ path }: PlaylistEntry): Promise<string | undefined> {
    const { locateNamed, turns } = this.#options;
    if (!locateNamed) return undefined;
    const find = async (): Promise<string | undefined> => locateNamed(path);
    return (turns ? turns.run(path, find) : find()).catch(() => undefined);
  }

  /** Reads the list if it is new or has changed. A read error changes nothing, and is reported. */
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
          ...because('playlist_too_large', { bytes: size, limit: MAX_PLAYLIST_BYTES }),
        };
      this.#entries = parsePlaylist(await handle.readFile('utf8'));
      this.#version = version;
      return undefined;
    } finally {
      await handle.close();
    }
  }
}
