import { expect, it } from 'vitest';
import type { Configuration } from '../configuration/configuration.ts';
import { ValueRefusal } from '../configuration/configuration-error.ts';
import { mergeFragment } from './merge-fragment.ts';

async function pointerOf(path: readonly string[], basePath: readonly string[]): Promise<unknown> {
  const changes = { change: () => Promise.reject(new ValueRefusal('path_not_allowed', 'no', path)) };
  const configuration = { changes } as unknown as Configuration;
  const by = { who: 'boss', fromWhere: 'api 192.0.2.1' };
  return mergeFragment(configuration, basePath, () => ({ fragment: {} }), by).catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'path_not_allowed', message: 'no' });
    return (error as ValueRefusal).details['pointer'];
  });
}

it('mergeFragment reports a path that is not allowed with a JSON Pointer into the request', async () => {
  expect(await pointerOf(['streams', 'a', 'inputs', '1', 'url'], ['streams', 'a'])).toBe('/inputs/1/url');
  expect(await pointerOf(['streams', 'b', 'inputs', '1', 'url'], ['streams', 'a'])).toBeUndefined();
  expect(await pointerOf([], ['streams', 'a'])).toBeUndefined();
});
