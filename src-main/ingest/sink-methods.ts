import type { InputSink } from './input.ts';

/** The calls of a sink as functions of their own, for one that is to end in another way. */
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
