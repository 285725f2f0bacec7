import type { StreamOutput } from '../delivery/stream-output.ts';
import { StreamEntry } from './stream-entry.ts';

/** All streams by name, and the names of changed ones. */
export class StreamRegistry {
  /** Delivery side of every stream, by name. */
  readonly outputs = new Map<string, StreamOutput>();
  readonly #entries = new Map<string, StreamEntry>();
  #changed = new Set<string>();
  #removed = new Set<string>();
  /**
   * True if a caller needs the names of removed streams. Otherwise they are not collected, because encoders create any
   * number of names.
   */
  #isFollowed = false;

  get(name: string): StreamEntry | undefined {
    return this.#entries.get(name);
  }

  /** All streams in order of creation. */
  all(): Iterable<StreamEntry> {
    return this.#entries.values();
  }

  create(name: string, settings: StreamEntry['settings'], isConfigured: boolean, nowMs: number): StreamEntry {
    const entry = new StreamEntry(name, settings, isConfigured, nowMs);
    this.#entries.set(name, entry);
    this.outputs.set(name, entry.output);
    this.#removed.delete(name);
    this.changed(name);
    return entry;
  }

  /** Gives a stream an empty window. */
  renewWindow(entry: StreamEntry): void {
    entry.renewWindow();
    this.outputs.set(entry.name, entry.output);
  }

  /** Removes a stream; its last run may still be ending. */
  remove(name: string): void {
    this.#entries.delete(name);
    this.outputs.delete(name);
    this.#changed.delete(name);
    if (this.#isFollowed) this.#removed.add(name);
  }

  /** Marks a stream as changed. Removed streams have no more changes. */
  changed(name: string): void {
    if (this.#entries.has(name)) this.#changed.add(name);
  }

  /**
   * Names of changed and removed streams since the last call.
   *
   * @param follows true if another call will follow; only then, streams removed until that call are recorded
   */
  takeChanges(follows = true): { readonly changed: ReadonlySet<string>; readonly removed: ReadonlySet<string> } {
    const changes = { changed: this.#changed, removed: this.#removed };
    this.#changed = new Set();
    this.#removed = new Set();
    this.#isFollowed = follows;
    return changes;
  }

  close(): void {
    for (const entry of this.#entries.values()) entry.closeOutput();
  }
}
