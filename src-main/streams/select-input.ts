import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import type { StreamEntry } from './stream-entry.ts';
import type { Streams } from './streams.ts';

/**
 * Puts an input of a stream on air. It stays selected until another input is selected or the stream restarts.
 *
 * @param input index in the configuration from 0, or address, as configured or with masked secrets; null to select by
 * priority
 * @returns index of the input; null for selection by priority
 */
export function selectInput(streams: Streams, name: string, input: number | string | null): number | null {
  const entry = streams.get(name);
  if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  const index = input === null ? null : inputIndexOf(entry, input);
  if (!streams.select(entry, index)) throw new AirdeskError('stream_not_running', `The stream ${name} is not running`);
  return index;
}

function inputIndexOf({ name, inputs }: StreamEntry, input: number | string): number {
  const exact = typeof input === 'number' ? input : inputs.findIndex(({ url }) => url === input);
  const index =
    typeof input === 'string' && exact < 0 ? inputs.findIndex(({ url }) => maskSecrets(url) === input) : exact;
  if (inputs[index] === undefined)
    throw new AirdeskError(
      'input_not_found',
      `The stream ${name} has no input ${typeof input === 'number' ? `${input}; it has ${inputs.length}, counted from 0` : maskSecrets(input)}`,
    );
  return index;
}
