import type { Input, InputSink } from '../ingest/input.ts';
import type { InputSpec, StreamSpec } from './messages.ts';
import type { WorkMark, WorkedInput } from './work-mark.ts';

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
