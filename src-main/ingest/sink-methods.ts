import type { InputSink } from './input.ts';

/** Methods of a sink as separate functions, for a sink with another `ended`. */
export function sinkMethods(sink: InputSink): Omit<InputSink, 'ended'> {
  return {
    tracks: (tracks) => {
      sink.tracks(tracks);
    },
    accessUnit: (unit) => {
      sink.accessUnit(unit);
    },
    splice: (message) => {
      sink.splice(message);
    },
    problem: (problem) => {
      sink.problem(problem);
    },
    received: (bytes) => {
      sink.received(bytes);
    },
  };
}
