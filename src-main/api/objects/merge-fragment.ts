import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Config } from '../../config/config.ts';
import type { ConfigDocument } from '../../config/document.ts';
import { mergeJson } from '../../config/edit/json-edits.ts';
import { renameStream } from '../../config/edit/rename-stream.ts';
import type { ConfigPath } from '../../config/parse/problem.ts';
import type { Applied, ChangeOptions } from '../../configuration/configuration-change.ts';
import { ConfigurationError, pointerOf } from '../../configuration/configuration-error.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import type { JsonObject } from './object-source.ts';

/** How a fragment is merged. */
type MergeOptions = Pick<ChangeOptions, 'check' | 'isDryRun'>;

/** A part of the configuration as JSON that is merged into it. */
export interface MergedFragment {
  readonly fragment: JsonObject;
  /** The name of the stream from now on; absent to keep it. */
  readonly newName?: string | undefined;
  /** The place in the request of a value of the object that was to be; the same without it. */
  readonly sentAs?: (path: ConfigPath) => ConfigPath;
}

/**
 * Merges what a request says of an object, and reports mistakes by their place in its body instead of in the whole configuration.
 *
 * @param place of the object
 * @param read makes the fragment of what is in force when the turn of the change comes: what changes before it made is not undone
 */
export async function mergeFragment(
  configuration: Configuration,
  place: readonly string[],
  read: (config: Config, document: ConfigDocument) => MergedFragment,
  by: ChangedBy,
  { check, isDryRun = false }: MergeOptions = {},
): Promise<Applied> {
  let sentAs: NonNullable<MergedFragment['sentAs']> = (path) => path;
  try {
    return await configuration.changes.change(
      function* (draft, config, document) {
        const merged = read(config, document);
        sentAs = merged.sentAs ?? sentAs;
        yield* mergeJson(draft, config, merged.fragment);
        if (merged.newName === undefined) return;
        yield* draft.settle();
        yield* renameStream(draft, place[1] ?? '', merged.newName);
      },
      by,
      { check, isDryRun },
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
