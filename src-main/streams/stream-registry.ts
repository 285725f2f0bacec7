import type { StreamOutput } from '../delivery/stream-output.ts';
import { StreamEntry } from './stream-entry.ts';

/** Every stream that there is, by name, and which of them changed. */
export class StreamRegistry {
  /** Delivery side of every stream, by name. */
  readonly outputs = new Map<string, StreamOutput>();
  readonly #entries = new Map<string, StreamEntry>();
  #changed = new Set<string>();
  #removed = new Set<string>();
  /** Whether the names of those that go are wanted: encoders make new ones without end. */
  #isFollowed = false;

  get(name: string): StreamEntry | undefined {
    return this.#entries.get(name);
  }

  /** All streams in the order of their making. */
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

  /** Takes a stream out, whose last run may still have to end. */
  remove(name: string): void {
    this.#entries.delete(name);
    this.outputs.delete(name);
    this.#changed.delete(name);
    if (this.#isFollowed) this.#removed.add(name);
  }

  /** Something of a stream is another than before. What was removed has no more changes. */
  changed(name: string): void {
    if (this.#entries.has(name)) this.#changed.add(name);
  }

  /** Names that changed or went since the last call. @param follows whether there will be another call; those that go before it are gathered only then */
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
