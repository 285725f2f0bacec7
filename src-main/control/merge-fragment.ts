import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/schema/config.ts';
import type { ConfigDocument } from '../config/document.ts';
import { mergeJson } from '../config/edit/json-edits.ts';
import { renameStream } from '../config/edit/rename-stream.ts';
import type { ConfigPath } from '../config/parse/problem.ts';
import type { Applied, ChangeOptions } from '../configuration/configuration-change.ts';
import { ConfigurationError, pointerOf, ValueRefusal } from '../configuration/configuration-error.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';

type MergeOptions = Pick<ChangeOptions, 'check' | 'checkResult' | 'isDryRun'>;

/** Part of the configuration as JSON to merge. */
export interface MergedFragment {
  readonly fragment: Readonly<Record<string, JsonValue>>;
  /** New name of the stream; absent to keep the old one. */
  readonly newName?: string | undefined;
  /** Maps the path of a value in the resulting object to its path in the request; absent if the paths are equal. */
  readonly sentAs?: (path: ConfigPath) => ConfigPath;
}

/**
 * Merges a request for an object. Mistakes are reported with their location in the body, not in the configuration.
 * @param basePath path of the object
 * @param read creates the fragment from the configuration in force when the change has its turn, so that earlier changes are not
 * undone
 */
export async function mergeFragment(
  configuration: Pick<Configuration, 'changes'>,
  basePath: readonly string[],
  read: (config: Config, document: ConfigDocument) => MergedFragment,
  by: ChangedBy,
  options: MergeOptions = {},
): Promise<Applied> {
  const isBelow = (path: readonly (string | number)[]): boolean =>
    basePath.every((part, index) => String(path[index]) === part);
  const pointerBelow = (path: ConfigPath): { readonly pointer?: string } =>
    path.length > 0 && isBelow(path) ? { pointer: pointerOf(sentAs(path.slice(basePath.length))) } : {};
  let sentAs: NonNullable<MergedFragment['sentAs']> = (path) => path;
  try {
    return await configuration.changes.change(
      function* (draft, config, document) {
        const merged = read(config, document);
        sentAs = merged.sentAs ?? sentAs;
        yield* mergeJson(draft, config, merged.fragment);
        if (merged.newName === undefined) return;
        yield* draft.settle();
        yield* draft.indexInSteps();
        renameStream(draft, basePath[1] ?? '', merged.newName);
      },
      by,
      options,
    );
  } catch (cause) {
    if (cause instanceof ValueRefusal)
      throw new AirdeskError(cause.code, cause.message, pointerBelow(cause.path), { cause });
    if (!(cause instanceof ConfigurationError)) throw cause;
    const [first] = cause.errors;
    const isInside = first !== undefined && isBelow(first.path);
    const below = first?.path.slice(basePath.length) ?? [];
    // The location of an impossible edit is already its location in the request.
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
