import type { Input, InputSink } from '../ingest/input.ts';
import type { InputSpec, StreamSpec } from './messages.ts';

/** An input of a stream on a media thread. */
export interface WorkedInput {
  /** Number of the stream's run. */
  readonly stream: number;
  /** Place in the order of the configuration; behind the last one it is the backup. */
  readonly input: number;
}

/**
 * Which input a media thread works on, in shared memory: it can still be read when the thread hangs or has died. It is set
 * whenever bytes of an input come in, before they are parsed.
 */
export class WorkMark {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(memory = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  set({ stream, input }: WorkedInput): void {
    this.#words[1] = input;
    this.#words[0] = stream;
  }

  get current(): WorkedInput | undefined {
    const [stream = 0, input = 0] = this.#words;
    return stream === 0 ? undefined : { stream, input };
  }
}

/** A sink that marks its input as worked on whenever bytes come in. */
export function markedSink(sink: InputSink, mark: WorkMark, input: WorkedInput): InputSink {
  return {
    ...sink,
    received: (bytes) => {
      mark.set(input);
      sink.received(bytes);
    },
  };
}

/** What makes an input, with all of its work marked. */
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

/** Whether an input waits for a publisher. */
export function isPublish({ url }: InputSpec): boolean {
  return url.startsWith('publish://');
}

/** The input of a stream that waits for a publisher. */
export function publishPlace({ id, inputs }: StreamSpec): WorkedInput {
  return { stream: id, input: inputs.findIndex(isPublish) };
}
