import type { Engine } from '../../src-main/engine/engine.ts';
import type { StreamSpec, StreamMeasurements } from '../../src-main/engine/messages.ts';
import type { ResumePoint } from '../../src-main/segment/run-window.ts';

/** Engine that opens nothing and records its calls. */
export class StagedEngine {
  /** Streams that are open. */
  readonly open = new Map<number, StreamSpec>();
  readonly opened: StreamSpec[] = [];
  /** Names of streams that are copied by other streams. */
  readonly copied = new Set<string>();
  readonly selected: { readonly id: number; readonly index: number | null }[] = [];
  /** Pending ends of streams that the test confirms; undefined if they end immediately. */
  pending: (() => void)[] | undefined;

  /** Same object with the type of an engine. */
  get engine(): Engine {
    const staged: Pick<Engine, 'open' | 'closeStream' | 'selectInput' | 'splice' | 'push' | 'homeOf' | 'isCopied'> = {
      open: (stream) => {
        this.open.set(stream.id, stream);
        this.opened.push(stream);
      },
      closeStream: (id) => this.#close(id),
      splice: () => true,
      push: () => {},
      selectInput: (id, index) => {
        this.selected.push({ id, index });
      },
      isCopied: (name) => this.copied.has(name),
      homeOf: (id) => (this.open.has(id) ? 0 : undefined),
    };
    // Use cases call no other functions of an engine.
    return staged as Engine;
  }

  /** Measurement of a running stream. */
  status(spec: StreamSpec, change: Partial<StreamMeasurements> = {}): StreamMeasurements {
    return {
      id: spec.id,
      inputs: spec.inputs.map(({ url, priority }) => ({
        url,
        priority,
        phase: 'running',
        lastUnitMs: 0,
        retryCount: 0,
        errorCount: 0,
      })),
      activeInput: 0,
      selectedInput: null,
      isBackupOnAir: false,
      inputSwitches: 0,
      phase: 'running',
      lastUnitMs: 0,
      startedMs: 0,
      bytesIn: 0,
      retryCount: 0,
      errorsPerSecond: 0,
      continuityErrorsPerSecond: 0,
      clockErrorsPerSecond: 0,
      measuredMs: 0,
      lastErrorsMs: { all: 0, continuity: 0, clock: 0 },
      tracks: [],
      leftOut: [],
      problems: [],
      ...change,
    };
  }

  async #close(id: number): Promise<ResumePoint> {
    if (this.pending) await new Promise<void>((resolve) => this.pending?.push(resolve));
    this.open.delete(id);
    return { endMs: 1_800_000_000_000, resume: { nextMsn: 900_000_000 + id, nextInitId: 5, isContinuation: true } };
  }
}
