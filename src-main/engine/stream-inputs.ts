import { Failover, type FailoverOptions } from '../ingest/failover.ts';
import type { InputSink, InputSpec } from '../ingest/input.ts';
import { datagramListener } from './inputs/network-kinds.ts';
import type { MakeInput } from './inputs/make-input.ts';
import type { StreamSpec } from './messages.ts';
import { isPublish, markedMaker, markedSink, publishInput, type WorkMark } from './work-mark.ts';

/**
 * Time without a frame after which a backup counts as not playing, and after which it is opened again, in milliseconds.
 */
const BACKUP_FRAMES_MS = 3000;
const BACKUP_SOURCE_MS = 10_000;

export interface StreamInputsOptions extends Pick<FailoverOptions, 'clock' | 'notice'> {
  readonly makeInput: MakeInput;
  readonly mark: WorkMark;
}

/** Creates the inputs of a stream, with failover, from its specification. Each input sets the work mark. */
export class StreamInputs {
  readonly failover: Failover;
  readonly #spec: StreamSpec;
  readonly #mark: WorkMark;

  /** @param sink receives the frames of the input on air */
  constructor(
    spec: StreamSpec,
    { clock, notice, makeInput, mark }: StreamInputsOptions,
    sink: Pick<FailoverOptions, 'output' | 'received'>,
  ) {
    this.#spec = spec;
    this.#mark = mark;
    const { backup, retryLimit } = spec;
    const make = (input: InputSpec, place: number) =>
      markedMaker((inputSink) => makeInput(input, inputSink, spec.name), mark, { stream: spec.id, input: place });
    this.failover = new Failover({
      clock,
      notice,
      ...sink,
      inputs: spec.inputs.map((input, index) => ({
        label: `input ${index + 1}`,
        priority: input.priority,
        framesTimeoutMs: input.framesTimeoutMs,
        sourceTimeoutMs: input.sourceTimeoutMs,
        ...(input.heldUntilMs === undefined ? {} : { heldUntilMs: input.heldUntilMs }),
        ...(isPublish(input) ? {} : { make: make(input, index) }),
      })),
      ...(backup
        ? {
            backup: {
              label: 'backup',
              framesTimeoutMs: BACKUP_FRAMES_MS,
              sourceTimeoutMs: BACKUP_SOURCE_MS,
              afterMs: backup.afterMs,
              ...(backup.heldUntilMs === undefined ? {} : { heldUntilMs: backup.heldUntilMs }),
              make: make(backup, spec.inputs.length),
            },
          }
        : {}),
      retryLimit,
    });
  }

  /** Addresses at which inputs receive datagrams. */
  get datagramListeners(): NonNullable<ReturnType<typeof datagramListener>>[] {
    return this.#spec.inputs.flatMap((input) => datagramListener(input) ?? []);
  }

  /** Adds a publisher, whose frames go to the returned sink. Throws if no input waits for a publisher. */
  publish(...publisher: Parameters<Failover['publish']>): InputSink {
    const sink = this.failover.publish(...publisher);
    if (!sink) throw new Error(`The stream ${this.#spec.name} has no input that waits for a publisher`);
    return markedSink(sink, this.#mark, publishInput(this.#spec));
  }

  /** Puts an input on air, by its index in the configuration; null for the best one. */
  select(index: number | null): void {
    this.failover.select(index === null ? undefined : this.failover.inputs[index]);
  }
}
