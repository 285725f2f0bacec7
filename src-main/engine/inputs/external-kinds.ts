import type { InputSpec } from '../../ingest/input.ts';
import { calledHost, EXTERNAL_SCHEMES, parseExternalAddress } from '../../ingest/external/external-address.ts';
import { ExternalInput } from '../../ingest/external/external-input.ts';
import { checked, optionsOf, type InputKind } from './input-kind.ts';

const external: InputKind = {
  open: (spec, sink, { clock, external, budget, hosts }, stream) => {
    const address = checked(addressOf(spec));
    const program = Number(optionsOf(spec).get('program') ?? 0);
    const home = calledHost(address);
    const limits = home ? { limits: () => hosts.from(home).limits() } : {};
    return new ExternalInput(
      { ...external, stream, clock, address, budget, ...limits, ...(program > 0 ? { program } : {}) },
      sink,
    );
  },
  parse: addressOf,
};

/** Inputs that codec processes read through FFmpeg, by scheme. */
export const externals: Readonly<Record<string, InputKind>> = Object.fromEntries(
  EXTERNAL_SCHEMES.map((scheme) => [scheme, external]),
);

function addressOf({ url, options }: InputSpec): ReturnType<typeof parseExternalAddress> {
  return parseExternalAddress(url, options);
}
