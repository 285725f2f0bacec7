import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { AirdeskError, type CallInput } from '../../src-preload/contract/index.ts';
import type { InputConfig } from '../config/schema/config.ts';
import { isSecretKey, MASK, maskAddress, masked } from '../config/schema/secrets.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ChangedBy } from '../operators/caller.ts';
import { inputCheck } from './input-check.ts';

export type ProbedAddress = Pick<InputConfig, 'url' | 'options'>;

/** Input in the form that a new stream would get. Raises the error that forbids adding a stream with it. */
export async function addableInput(
  { changes, config }: Configuration,
  { url, options }: ProbedAddress,
  by: ChangedBy,
): Promise<ProbedAddress> {
  let name = 'probe';
  while (config.streams.has(name)) name += '_';
  const directives = [{ name: 'input', args: [url], options }];
  const { config: after } = await changes.edit([{ edit: 'addStream', name, directives }], by, {
    checkResult: inputCheck('streams', () => [name]),
    isDryRun: true,
    isSaved: false,
  });
  return after.streams.get(name)?.inputs[0] ?? { url, options };
}

/**
 * Address and options of a request, with masks replaced by the secrets.
 * @param existing inputs of the stream whose secrets may be used
 */
export function unmaskedInput(
  { input_url: url, options = {} }: Pick<CallInput<'streams.probe_address'>, 'input_url' | 'options'>,
  existing: readonly ProbedAddress[],
): ProbedAddress {
  if (![url, ...Object.values(options)].some((text) => text.includes(MASK))) return { url, options };
  const input = existing.find((one) => one.url === url || maskAddress(one.url) === url);
  const unmasked = Object.entries(options).map(([key, value]): [string, string] => {
    const before = input?.options[key];
    return [key, before !== undefined && masked(before, isSecretKey(key)) === value ? before : value];
  });
  if (!input || unmasked.some(([, value]) => value.includes(MASK)))
    throw new AirdeskError('bad_value', because('mask_without_secret'));
  return { url: input.url, options: Object.fromEntries(unmasked) };
}
