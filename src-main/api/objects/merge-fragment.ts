import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { mergeJson } from '../../config/edit/json-edits.ts';
import { renameStream } from '../../config/edit/rename-stream.ts';
import type { ConfigPath } from '../../config/parse/problem.ts';
import type { Applied, ChangeOptions } from '../../configuration/configuration-change.ts';
import { ConfigurationError, pointerOf } from '../../configuration/configuration-error.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import type { JsonObject } from './object-source.ts';

/** How a fragment is merged. */
export interface MergeOptions extends Pick<ChangeOptions, 'check' | 'isDryRun'> {
  /** The name of the stream from now on; absent to keep it. */
  readonly newName?: string | undefined;
  /** The place in the request of a value of the object that was to be; the same without it. */
  readonly sentAs?: (path: ConfigPath) => ConfigPath;
}

/** Merges what a request says of an object, and reports mistakes by their place in its body instead of in the whole configuration. @param place of the object */
export async function mergeFragment(
  configuration: Configuration,
  place: readonly string[],
  fragment: JsonObject,
  by: ChangedBy,
  { check, isDryRun = false, newName, sentAs = (path) => path }: MergeOptions = {},
): Promise<Applied> {
  try {
    const options = { check, isDryRun };
    if (newName === undefined) return await configuration.changes.merge(fragment, by, options);
    return await configuration.changes.change(
      function* (draft, config) {
        yield* mergeJson(draft, config, fragment);
        yield* draft.settle();
        yield* renameStream(draft, place[1] ?? '', newName);
      },
      by,
      options,
    );
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    const [first] = cause.errors;
    const isInside = first !== undefined && place.every((part, index) => String(first.path[index]) === part);
    const below = first?.path.slice(place.length) ?? [];
    // An edit that could not be made is shown by its place in the request already.
    const inside = cause.isOfEdit ? below : sentAs(below);
    const { line: _line, column: _column, pointer: _pointer, ...details } = cause.details;
    const code = cause.code === 'config_unknown_directive' ? 'unknown_key' : cause.code;
    throw new AirdeskError(
      code,
      cause.message,
      { ...details, ...(isInside ? { pointer: pointerOf(inside) } : {}) },
      { cause },
    );
  }
}
