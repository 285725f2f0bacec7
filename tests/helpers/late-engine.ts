import type { Engine } from '../../src-main/engine/engine.ts';
import type { StreamSpec } from '../../src-main/engine/messages.ts';
import type { ResumePoint } from '../../src-main/segment/run-window.ts';

const NOWHERE: ResumePoint = { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: false } };
const END: ResumePoint = { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: true } };

/** Engine whose streams end when a test allows it, in any order. */
export class LateEngine {
  /** Open or ending runs by id. */
  readonly open = new Map<number, StreamSpec>();
  /** Violations of invariants. */
  readonly faults: string[] = [];
  readonly #closing = new Map<number, (end: ResumePoint) => void>();

  /** Same engine with the type that the streams expect. */
  get engine(): Engine {
    const engine: Pick<Engine, 'open' | 'closeStream' | 'selectInput' | 'push' | 'isCopied'> = {
      open: (stream) => {
        this.openRun(stream);
      },
      closeStream: (id) => this.#close(id),
      selectInput: () => {},
      push: () => {},
      isCopied: () => false,
    };
    // Streams call no other functions of an engine.
    return engine as Engine;
  }

  /** Open runs, in the order of their opening. */
  get running(): StreamSpec[] {
    return [...this.open.values()].filter(({ id }) => !this.#closing.has(id));
  }

  /** Runs whose end was requested but not confirmed. */
  get ending(): number[] {
    return [...this.#closing.keys()];
  }

  /** Opens a run: called by `open`, or by a test that accepts a publisher. */
  openRun(stream: StreamSpec): void {
    for (const { id, name } of this.open.values())
      if (name === stream.name && id !== stream.id) this.faults.push(`${name} has the runs ${id} and ${stream.id}`);
    this.open.set(stream.id, stream);
  }

  /** Confirms the requested end of a run. */
  ended(id: number): void {
    const resolve = this.#closing.get(id);
    this.#closing.delete(id);
    this.open.delete(id);
    resolve?.(END);
  }

  /** Crashes the media thread of a run. Returns the resume point; undefined if the run was ending. */
  died(id: number): ResumePoint | undefined {
    if (this.#closing.has(id)) {
      this.ended(id);
      return undefined;
    }
    this.open.delete(id);
    return END;
  }

  #close(id: number): Promise<ResumePoint> {
    if (this.#closing.has(id)) this.faults.push(`the run ${id} is closed twice`);
    if (!this.open.has(id)) return Promise.resolve(NOWHERE);
    return new Promise((resolve) => {
      this.#closing.set(id, resolve);
    });
  }
}
