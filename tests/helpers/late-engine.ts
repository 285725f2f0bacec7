import type { Engine } from '../../src-main/engine/engine.ts';
import type { StreamSpec } from '../../src-main/engine/messages.ts';
import type { ResumePoint } from '../../src-main/segment/run-window.ts';

const NOWHERE: ResumePoint = { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: false } };
const END: ResumePoint = { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: true } };

/** An engine whose streams end when a test lets them, in any order. */
export class LateEngine {
  /** Runs that are open or about to end, by id. */
  readonly open = new Map<number, StreamSpec>();
  /** Whatever must never happen and did. */
  readonly faults: string[] = [];
  readonly #closing = new Map<number, (end: ResumePoint) => void>();

  /** As the engine that streams take. */
  get engine(): Engine {
    const engine: Pick<Engine, 'open' | 'closeStream' | 'selectInput' | 'isCopied'> = {
      open: (stream) => {
        this.place(stream);
      },
      closeStream: (id) => this.#close(id),
      selectInput: () => {},
      isCopied: () => false,
    };
    // Streams call nothing else of an engine.
    return engine as Engine;
  }

  /** Open runs, in the order of their opening. */
  get running(): StreamSpec[] {
    return [...this.open.values()].filter(({ id }) => !this.#closing.has(id));
  }

  /** Runs whose end was asked for and is not answered. */
  get ending(): number[] {
    return [...this.#closing.keys()];
  }

  /** A stream comes to a media thread, by itself or with its encoder. */
  place(stream: StreamSpec): void {
    for (const { id, name } of this.open.values())
      if (name === stream.name && id !== stream.id) this.faults.push(`${name} has the runs ${id} and ${stream.id}`);
    this.open.set(stream.id, stream);
  }

  /** A run has ended as it was asked to. */
  ended(id: number): void {
    const resolve = this.#closing.get(id);
    this.#closing.delete(id);
    this.open.delete(id);
    resolve?.(END);
  }

  /** The media thread of a run dies. Returns where it ended; undefined where that answers a close. */
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
