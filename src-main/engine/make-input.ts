import type { FakeInputs } from '../ingest/fake/fake-inputs.ts';
import { parseFakeOptions } from '../ingest/fake/fake-options.ts';
import type { Input, InputEnd, InputSink } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { InputSpec } from './messages.ts';

/** Makes an input from its address. Throws an error that is an `InputEnd` for an address that cannot work. */
export type MakeInput = (spec: InputSpec, sink: InputSink) => Input;

/** What inputs are made with. */
export interface InputMakerOptions {
  readonly clock: Clock;
  readonly fileRoot: string;
  readonly fakes: FakeInputs;
}

type Maker = (spec: InputSpec, sink: InputSink, options: InputMakerOptions) => Input;

/** How each scheme of an input address is opened. */
const MAKERS: Readonly<Record<string, Maker>> = {
  fake: (spec, sink, { fakes }) => {
    const options = parseFakeOptions(optionsOf(spec));
    if ('code' in options) throw thrown(options);
    return fakes.open(options, sink);
  },
};

/** Makes inputs of every kind that runs inside a media thread. */
export function inputMaker(options: InputMakerOptions): MakeInput {
  return (spec, sink) => {
    const scheme = /^([a-z][a-z0-9]*):\/\//.exec(spec.url)?.[1];
    if (scheme === undefined) throw thrown({ code: 'bad_input_url', detail: `${spec.url} does not begin with a scheme such as udp://` });
    const make = Object.hasOwn(MAKERS, scheme) ? MAKERS[scheme] : undefined;
    if (!make) throw thrown({ code: 'input_not_supported', detail: `${scheme}:// is not an input that Airdesk reads` });
    return make(spec, sink, options);
  };
}

/** Schemes that `inputMaker` knows. */
export const INPUT_SCHEMES: readonly string[] = Object.keys(MAKERS);

/** Options of an input: the query of its address, and over them what is written behind it. */
function optionsOf(spec: InputSpec): ReadonlyMap<string, string> {
  const question = spec.url.indexOf('?');
  const options = new Map(question < 0 ? [] : new URLSearchParams(spec.url.slice(question + 1)));
  for (const [name, value] of Object.entries(spec.options)) options.set(name, value);
  return options;
}

/** The end of an input as an error, for those who make inputs. */
function thrown(end: InputEnd): Error & InputEnd {
  return Object.assign(new Error(end.detail), end);
}
