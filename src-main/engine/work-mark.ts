import type { Input, InputSink, InputSpec } from '../ingest/input.ts';
import type { StreamSpec } from './messages.ts';

/** An input of a stream on a media thread. */
export interface WorkedInput {
  /** Number of the stream's run. */
  readonly stream: number;
  /** Index in the configuration; the index after the last one is the backup. */
  readonly input: number;
}

/**
 * Mark of the input that a media thread works on, in shared memory, so that it is readable when the thread hangs or has
 * died. It is set whenever bytes of an input arrive, before they are parsed.
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

/** Sink that marks its input whenever bytes arrive. */
export function markedSink(sink: InputSink, mark: WorkMark, input: WorkedInput): InputSink {
  return {
    ...sink,
    received: (bytes) => {
      mark.set(input);
      sink.received(bytes);
    },
  };
}

/** Input factory that marks all work of its input. */
export function markedMaker(
  make: (sink: InputSink) => Input,
  mark: WorkMark,
  place: WorkedInput,
): (sink: InputSink) => Input {
  return (sink) => {
    mark.set(place);
    const input = make(markedSink(sink, mark, place));
    return {
      start: () => {
        mark.set(place);
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

/** Input of a stream that waits for a publisher. */
export function publishPlace({ id, inputs }: StreamSpec): WorkedInput {
  return { stream: id, input: inputs.findIndex(isPublish) };
}
