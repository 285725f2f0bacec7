import type { RunWindow } from '../segment/run-window.ts';
import { retain } from '../segment/shared-use.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { CopyEvent } from './messages.ts';

/** One stream that is copied into another. */
interface Copy {
  readonly source: string;
  readonly follower: string;
  readonly send: (events: readonly CopyEvent[]) => void;
  /** Ends the reading of the source's run; nothing to read while it has none. */
  detach?: () => void;
}

/** Who copies which stream: hands the events of a run to those who follow the stream, on whatever thread they live. */
export class Copies {
  /** The runs of all streams that are open, by name. */
  readonly #runs = new Map<string, RunWindow>();
  readonly #copies = new Map<string, Copy>();
  /** How many copies there are of each stream. */
  readonly #followers = new Map<string, number>();

  /** Whether a stream has followers, connected or waiting. */
  isFollowed(name: string): boolean {
    return this.#followers.has(name);
  }

  /** A stream has opened. Its copies end with the run. */
  opened(name: string, run: RunWindow): void {
    this.#runs.set(name, run);
    run.onEnd(() => {
      this.#ended(name, run);
    });
    for (const copy of this.#copies.values()) if (copy.source === name) attach(copy, run);
  }

  /**
   * Follows a stream from now on.
   *
   * @param key the follower, unique over all threads
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
    const copy: Copy = { source, follower, send };
    this.#copies.set(key, copy);
    this.#followers.set(source, (this.#followers.get(source) ?? 0) + 1);
    const run = this.#runs.get(source);
    if (run) attach(copy, run);
  }

  /** Follows no longer. */
  close(key: string): void {
    const copy = this.#copies.get(key);
    if (!copy) return;
    copy.detach?.();
    this.#copies.delete(key);
    const left = (this.#followers.get(copy.source) ?? 0) - 1;
    if (left > 0) this.#followers.set(copy.source, left);
    else this.#followers.delete(copy.source);
  }

  /** A thread is gone, with all its followers. @param prefix of all its keys */
  closeAll(prefix: string): void {
    for (const key of this.#copies.keys()) if (key.startsWith(prefix)) this.close(key);
  }

  #ended(name: string, run: RunWindow): void {
    if (this.#runs.get(name) !== run) return;
    this.#runs.delete(name);
    for (const [key, copy] of this.#copies) {
      if (copy.source !== name) continue;
      this.close(key);
      copy.send([{ type: 'ended', end: { code: 'input_ended', detail: `The stream ${name} was closed.` } }]);
    }
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

function attach(copy: Copy, run: RunWindow): void {
  copy.detach?.();
  if (run.hasTracks) copy.send([{ type: 'tracks', tracks: run.tracks }]);
  copy.detach = run.onEvents((events) => {
    hand(copy, events, run.hasTracks);
  });
}

/** Sends what a copy needs of some events; nothing is worth anything before the tracks are known. */
function hand(copy: Copy, events: readonly WindowEvent[], hasTracks: boolean): void {
  const out: CopyEvent[] = [];
  let isKnown = hasTracks;
  for (const event of events) {
    const made = copyEventOf(event);
    isKnown ||= made?.type === 'tracks';
    if (!made || !isKnown) continue;
    if (made.type === 'part') retain(made.bytes);
    out.push(made);
  }
  if (out.length > 0) copy.send(out);
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
