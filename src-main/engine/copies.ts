import type { Track } from '../media/track.ts';
import { retain } from '../segment/shared-use.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { CopyEvent } from './messages.ts';

/** One stream that is copied into another. */
interface Copy {
  readonly source: string;
  readonly follower: string;
  readonly send: (events: readonly CopyEvent[]) => void;
  /** Whether the source's tracks were told. */
  hasTracks: boolean;
}

/** A stream that is open on some media thread. */
interface Source {
  readonly id: number;
  tracks: readonly Track[] | undefined;
}

/** Who copies which stream: hands the events of a window to those who follow it, on whatever thread they live. */
export class Copies {
  readonly #sources = new Map<string, Source>();
  readonly #names = new Map<number, string>();
  readonly #copies = new Map<string, Copy>();
  /** How many copies there are of each stream. */
  readonly #followers = new Map<string, number>();

  /** Whether anybody follows a stream, or waits for it. */
  isFollowed(name: string): boolean {
    return this.#followers.has(name);
  }

  /** A stream has opened. */
  opened(name: string, id: number): void {
    if (this.#names.has(id)) return;
    this.#names.set(id, name);
    this.#sources.set(name, { id, tracks: undefined });
  }

  /** A stream has closed. */
  closed(id: number): void {
    const name = this.#names.get(id);
    this.#names.delete(id);
    if (name === undefined || this.#sources.get(name)?.id !== id) return;
    this.#sources.delete(name);
    for (const [key, copy] of this.#copies) {
      if (copy.source !== name) continue;
      this.#drop(key);
      copy.send([{ type: 'ended', end: { code: 'input_ended', detail: `The stream ${name} was closed.` } }]);
    }
  }

  /**
   * Follows a stream from now on.
   *
   * @param key who asks, as one name for all threads
   * @param send hears the events; each part that it gets is retained for it
   */
  open(key: string, source: string, follower: string, send: Copy['send']): void {
    if (this.#reaches(source, follower)) {
      const detail =
        source === follower
          ? `The stream ${source} cannot copy itself.`
          : `The stream ${source} is a copy of ${follower} already.`;
      send([{ type: 'ended', end: { code: 'bad_input_url', detail } }]);
      return;
    }
    const copy: Copy = { source, follower, send, hasTracks: false };
    this.#copies.set(key, copy);
    this.#followers.set(source, (this.#followers.get(source) ?? 0) + 1);
    const tracks = this.#sources.get(source)?.tracks;
    if (tracks) this.#tell(copy, tracks);
  }

  /** Follows no longer. */
  close(key: string): void {
    this.#drop(key);
  }

  /** A thread is gone: nobody on it follows anything any more. @param prefix of all its keys */
  closeAll(prefix: string): void {
    for (const key of this.#copies.keys()) if (key.startsWith(prefix)) this.#drop(key);
  }

  /** Something happened to a window. Comes before the window takes the events, so that their memory is still held. */
  events(id: number, events: readonly WindowEvent[]): void {
    const name = this.#names.get(id);
    const source = name === undefined ? undefined : this.#sources.get(name);
    if (source?.id !== id) return;
    for (const event of events) if (event.type === 'init') source.tracks = event.tracks.map(({ track }) => track);
    for (const copy of this.#copies.values()) if (copy.source === name) this.#hand(copy, events);
  }

  #drop(key: string): void {
    const source = this.#copies.get(key)?.source;
    if (source === undefined) return;
    this.#copies.delete(key);
    const left = (this.#followers.get(source) ?? 0) - 1;
    if (left > 0) this.#followers.set(source, left);
    else this.#followers.delete(source);
  }

  #hand(copy: Copy, events: readonly WindowEvent[]): void {
    const out: CopyEvent[] = [];
    for (const event of events) {
      const made = copyEventOf(event);
      if (!made || (!copy.hasTracks && made.type !== 'tracks')) continue;
      if (made.type === 'tracks') copy.hasTracks = true;
      if (made.type === 'part') retain(made.bytes);
      out.push(made);
    }
    if (out.length > 0) copy.send(out);
  }

  #tell(copy: Copy, tracks: readonly Track[]): void {
    copy.hasTracks = true;
    copy.send([{ type: 'tracks', tracks }]);
  }

  /** Whether a stream is, by whatever detour, a copy of another, or the same. */
  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const left = [from];
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      if (name === to) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      for (const { follower, source } of this.#copies.values()) if (follower === name) left.push(source);
    }
    return false;
  }
}

function copyEventOf(event: WindowEvent): CopyEvent | undefined {
  switch (event.type) {
    case 'init':
      return { type: 'tracks', tracks: event.tracks.map(({ track }) => track) };
    case 'part':
      return { type: 'part', trackId: event.trackId, bytes: event.bytes };
    case 'splice':
      return { type: 'splice', atMs: event.atMs, section: event.section };
    case 'idle':
      return { type: 'idle' };
    default:
      return undefined;
  }
}
