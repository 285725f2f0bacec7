import type { InputSpec } from '../../ingest/input.ts';
import { EXTERNAL_SCHEMES, peerOrigin, parseExternalAddress } from '../../ingest/external/external-address.ts';
import { ExternalInput } from '../../ingest/external/external-input.ts';
import { checked, optionsOf, type InputKind } from './input-kind.ts';

const external: InputKind = {
  open: (spec, sink, { clock, external, budget, hosts }, stream) => {
    const address = checked(addressOf(spec));
    const program = Number(optionsOf(spec).get('program') ?? 0);
    const origin = peerOrigin(address);
    const limits = origin ? { limits: () => hosts.from(origin).limits() } : {};
    return new ExternalInput(
      { ...external, stream, clock, address, budget, ...limits, ...(program > 0 ? { program } : {}) },
      sink,
    );
  },
  parse: addressOf,
  ownPort: (spec) => {
    const address = addressOf(spec);
    if ('code' in address || address.kind !== 'srt' || address.options.mode === 'caller') return undefined;
    return Number(/\d+$/.exec(address.url)?.[0]);
  },
};

/** Inputs that codec processes read through FFmpeg, by scheme. */
export const externals: Readonly<Record<string, InputKind>> = Object.fromEntries(
  EXTERNAL_SCHEMES.map((scheme) => [scheme, external]),
);

function addressOf({ url, options }: InputSpec): ReturnType<typeof parseExternalAddress> {
  return parseExternalAddress(url, options);
}
