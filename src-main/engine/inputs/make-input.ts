import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Input, InputEnd, InputSink, InputSpec } from '../../ingest/input.ts';
import { maskSecrets } from '../../lib/mask-secrets.ts';
import { externals } from './external-kinds.ts';
import { file, playlist } from './file-kinds.ts';
import { isInputEnd, thrown, type InputKind, type InputMakerOptions } from './input-kind.ts';
import { hls, rtp, tsHttp, udp } from './network-kinds.ts';
import { copy, fake } from './server-kinds.ts';

/** Creates an input of a stream from its address. Throws an error that is an `InputEnd` for an unusable address. */
export type MakeInput = (spec: InputSpec, sink: InputSink, streamName: string) => Input;

/** Input kinds by scheme. */
const KINDS: Readonly<Record<string, InputKind>> = {
  fake,
  file,
  copy,
  playlist,
  udp,
  rtp,
  tshttp: tsHttp,
  tshttps: tsHttp,
  hls,
  hlss: hls,
  ...externals,
};

/** Schemes of input addresses that a media thread opens itself. */
export const INPUT_SCHEMES: readonly string[] = Object.keys(KINDS);

/** Fault of an input address that no retry can mend; undefined if there is none. Opens nothing. */
export function inputFault(spec: InputSpec): InputEnd | undefined {
  const parsed = kindOf(schemeOf(spec) ?? '')?.parse?.(spec);
  return parsed && isInputEnd(parsed) ? parsed : undefined;
}

/** UDP port of this machine on which only this input can receive; undefined if there is none. */
export function ownPort(spec: InputSpec): number | undefined {
  return kindOf(schemeOf(spec) ?? '')?.ownPort?.(spec);
}

/** Returns the function that creates the inputs of a media thread. */
export function inputMaker(options: InputMakerOptions): MakeInput {
  return (spec, sink, streamName) => {
    const scheme = schemeOf(spec);
    if (scheme === undefined)
      throw thrown({
        code: 'bad_input_url',
        ...because('address_without_scheme', { address: maskSecrets(spec.url) }),
      });
    const kind = kindOf(scheme);
    if (!kind) throw thrown({ code: 'input_not_supported', ...because('scheme_not_supported', { scheme }) });
    return kind.open(spec, sink, options, streamName);
  };
}

function schemeOf({ url }: InputSpec): string | undefined {
  return /^([a-z][a-z0-9]*):\/\//.exec(url)?.[1];
}

function kindOf(scheme: string): InputKind | undefined {
  return Object.hasOwn(KINDS, scheme) ? KINDS[scheme] : undefined;
}
