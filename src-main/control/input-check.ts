import { isDeepStrictEqual } from 'node:util';
import type { Config, InputConfig } from '../config/schema/config.ts';
import type { ConfigPath } from '../config/parse/problem.ts';
import { INPUT_OPTIONS } from '../config/schema/input-setting.ts';
import type { ChangeOptions } from '../configuration/configuration-change.ts';
import { ValueRefusal } from '../configuration/configuration-error.ts';
import { inputFault } from '../engine/inputs/make-input.ts';

/** Collections whose objects have inputs. */
type WithInputs = 'streams' | 'templates';

/**
 * Creates a check of changed streams or templates: addresses of new inputs must be able to work. Inputs that existed before, or
 * come from a template, are accepted unchanged.
 * @param names returns the names of the objects, after the change; the old and the new name of a renamed object
 */
export function inputCheck(
  collection: WithInputs,
  names: () => readonly string[],
): NonNullable<ChangeOptions['checkResult']> {
  return (before, after) => {
    const existing = names().flatMap((name) => [
      ...inputsOf(before, collection, name),
      ...(collection === 'streams' ? inputsOf(after, 'templates', after.streams.get(name)?.template) : []),
    ]);
    for (const name of names())
      for (const [index, input] of inputsOf(after, collection, name).entries())
        if (!existing.some(({ url, options }) => url === input.url && isDeepStrictEqual(options, input.options)))
          requireReadable(input, [collection, name, 'inputs', index, 'url']);
  };
}

function inputsOf(config: Config, collection: WithInputs, name: string | null | undefined): readonly InputConfig[] {
  return config[collection].get(name ?? '')?.inputs ?? [];
}

/** Raises `bad_input_url` or `input_not_supported` for an address that can never work. Opens nothing. */
function requireReadable({ url, options }: Pick<InputConfig, 'url' | 'options'>, path: ConfigPath): void {
  const scheme = /^([a-z][a-z0-9]*):\/\//.exec(url)?.[1];
  if (scheme === undefined)
    throw new ValueRefusal(
      'bad_input_url',
      'An input starts with a scheme, for example udp://239.0.0.1:1234 or publish://',
      path,
    );
  if (!Object.hasOwn(INPUT_OPTIONS, scheme)) {
    const schemes = Object.keys(INPUT_OPTIONS).map((name) => `${name}://`);
    throw new ValueRefusal(
      'input_not_supported',
      `${scheme}:// cannot be read; these can: ${schemes.join(', ')}`,
      path,
    );
  }
  const fault = inputFault({ url, options });
  if (fault) throw new ValueRefusal('bad_input_url', fault.detail, path);
}
