import type { Session } from './session.ts';

/** Sessions by key, by id and by stream, with the numbers of viewers. */
export class SessionTable {
  readonly #byKey = new Map<string, Session>();
  /** By unique id, and by the hash of the key. */
  readonly #byId = new Map<string, Session>();
  readonly #byStream = new Map<string, Set<Session>>();
  readonly #viewers = new Map<string, number>();
  readonly #watchers = new Map<string, number>();
  /** Number of viewers of all streams. */
  viewers = 0;

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Session | undefined {
    return this.#byKey.get(key);
  }

  find(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  /** All sessions; may be iterated while sessions are added and removed. */
  all(): Iterable<Session> {
    return this.#byKey.values();
  }

  of(stream: string): Iterable<Session> {
    return this.#byStream.get(stream) ?? [];
  }

  viewersOf(stream: string): number {
    return this.#viewers.get(stream) ?? 0;
  }

  add(session: Session): void {
    this.#byKey.set(session.key, session);
    this.#byId.set(session.id, session);
    this.#byId.set(session.hash, session);
    const stream = this.#byStream.get(session.name);
    if (stream) stream.add(session);
    else this.#byStream.set(session.name, new Set([session]));
  }

  /** Counts the viewer of a session when it starts to run. */
  count(session: Session): void {
    this.#count(session, 1);
  }

  /** Removes a session. @param wasCounted true if its viewer was counted */
  remove(session: Session, wasCounted: boolean): void {
    this.#byKey.delete(session.key);
    this.#byId.delete(session.id);
    this.#byId.delete(session.hash);
    const stream = this.#byStream.get(session.name);
    stream?.delete(session);
    if (stream?.size === 0) this.#byStream.delete(session.name);
    if (wasCounted) this.#count(session, -1);
  }

  /**
   * Counts a viewer that starts or stops getting media. A request for a playlist alone does not count.
   *
   * @returns number of such viewers of the stream
   */
  watch({ name, proto }: Session, step: 1 | -1): number {
    const count = (this.#watchers.get(name) ?? 0) + (proto === 'api' ? 0 : step);
    if (count === 0) this.#watchers.delete(name);
    else this.#watchers.set(name, count);
    return count;
  }

  #count({ name, proto }: Session, step: 1 | -1): void {
    // A session that only requests pictures or information is not a viewer.
    if (proto === 'api') return;
    this.viewers += step;
    const count = this.viewersOf(name) + step;
    if (count === 0) this.#viewers.delete(name);
    else this.#viewers.set(name, count);
  }
}
