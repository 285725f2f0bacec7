import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { CopyInput } from '../../ingest/copy/copy-input.ts';
import { parseFakeOptions } from '../../ingest/fake/fake-options.ts';
import type { InputEnd, InputSpec } from '../../ingest/input.ts';
import { checked, optionsOf, type InputKind } from './input-kind.ts';

/** `fake://`: a test picture. */
export const fake: InputKind = {
  open: (spec, sink, { fakes }) => fakes.open(checked(parseFakeOptions(optionsOf(spec))), sink),
  parse: (spec) => parseFakeOptions(optionsOf(spec)),
};

/** `copy://`: another stream of this server. */
export const copy: InputKind = {
  open: (spec, sink, { clock, copies }, follower) => {
    const { source } = checked(copyAddress(spec));
    return new CopyInput({ source, follower, port: copies, clock }, sink);
  },
  parse: copyAddress,
};

function copyAddress({ url }: InputSpec): { readonly source: string } | InputEnd {
  const written = url.slice('copy://'.length).replace(/[?#].*$/, '');
  if (written === '') return { code: 'bad_input_url', ...because('copy_without_name') };
  try {
    return { source: decodeURI(written) };
  } catch {
    return { code: 'bad_input_url', ...because('copy_bad_escape') };
  }
}
