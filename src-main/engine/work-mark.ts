import type { Input, InputSink, InputSpec } from '../ingest/input.ts';
import type { StreamSpec } from './messages.ts';

/** An input of a stream on a media thread. */
export interface WorkedInput {
  /** Number of the run of the stream. */
  readonly stream: number;
  /** Index of the input in the configuration; the number of inputs means the backup. */
  readonly input: number;
}

/**
 * Mark of the input that a media thread works on. It is in shared memory, so that the server thread can read it when the
 * media thread hangs or has died. It is set whenever bytes of an input arrive, before they are parsed.
 */
export class WorkMark {
  readonly memory: SharedArrayBuffer;
  readonly #cells: Int32Array;

  constructor(memory = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#cells = new Int32Array(memory);
  }

  set({ stream, input }: WorkedInput): void {
    this.#cells[1] = input;
    this.#cells[0] = stream;
  }

  get current(): WorkedInput | undefined {
    const [stream = 0, input = 0] = this.#cells;
    return stream === 0 ? undefined : { stream, input };
  }
}

/** Wraps a sink so that the input is marked whenever bytes arrive. */
export function markedSink(sink: InputSink, mark: WorkMark, input: WorkedInput): InputSink {
  return {
    ...sink,
    received: (bytes) => {
      mark.set(input);
      sink.received(bytes);
    },
  };
}

/** Wraps the factory of an input so that all work of the input is marked. */
export function markedMaker(
  make: (sink: InputSink) => Input,
  mark: WorkMark,
  worked: WorkedInput,
): (sink: InputSink) => Input {
  return (sink) => {
    mark.set(worked);
    const input = make(markedSink(sink, mark, worked));
    return {
      start: () => {
        mark.set(worked);
        input.start();
      },
      close: () => input.close(),
    };
  };
}

/** Reports whether an input waits for a publisher. */
export function isPublish({ url }: InputSpec): boolean {
  return url.startsWith('publish://');
}

/** The input of a stream that waits for a publisher. */
export function publishInput({ id, inputs }: StreamSpec): WorkedInput {
  return { stream: id, input: inputs.findIndex(isPublish) };
}
