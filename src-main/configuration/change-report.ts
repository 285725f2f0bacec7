import type { ConfigWarning } from '../../src-preload/contract/operations/config-state.ts';
import type { ConfigChange } from '../config/diff-config.ts';
import type { ConfigDocument } from '../config/document.ts';
import { jsonNamesOf } from '../config/schema/json-names.ts';
import type { ConfigError, ConfigPath } from '../config/parse/problem.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';

/** Maximum number of warnings in an answer. */
const MAX_WARNINGS = 100;
const COLLECTIONS: ReadonlySet<string | number | undefined> = new Set(['streams', 'lives', 'templates']);

const UNKNOWN_NAME: ConfigError['code'] = 'config_unknown_name';

/**
 * Maps a path of the configuration to the path in a fragment, in the names that the fragment uses; undefined if the fragment
 * does not contain it.
 */
type Locate = (path: ConfigPath) => ConfigPath | undefined;

/** Warnings of a document, such as settings without effect, for the paths that `locate` finds; at most 100. */
export function documentWarnings(
  { textBlocks = [], warnings }: ConfigDocument,
  locate: Locate = (path) => path,
): readonly ConfigError[] {
  const found: ConfigError[] = [];
  const take = (warning: ConfigError, linesBefore: number): void => {
    const path = locate(warning.path);
    if (path) found.push({ ...warning, path, line: warning.line + linesBefore });
  };
  // The list of the document is limited and may be full, so warnings about streams are read from their blocks. Only the
  // complete document shows which names are unknown.
  for (const warning of warnings)
    if (!COLLECTIONS.has(warning.path[0]) || warning.code === UNKNOWN_NAME) take(warning, 0);
  let linesBefore = 0;
  for (const { blocks, lineCount } of textBlocks) {
    for (const { problems } of blocks) for (const warning of problems.warnings) take(warning, linesBefore);
    if (found.length >= MAX_WARNINGS) break;
    linesBefore += lineCount;
  }
  return found.slice(0, MAX_WARNINGS);
}

/** Errors or warnings for the desk. */
export function problemsView(problems: readonly ConfigError[]): ConfigWarning[] {
  return problems.map(({ code, message, explanation, line, column }) => ({ code, message, explanation, line, column }));
}

/** Warnings for the desk, in the order of the text; absent if there are none. */
export function warningsView(document: ConfigDocument): { readonly warnings?: ConfigWarning[] } {
  const warnings = documentWarnings(document);
  if (warnings.length === 0) return {};
  return { warnings: problemsView(warnings).sort((a, b) => a.line - b.line || a.column - b.column) };
}

/**
 * Finds paths of the configuration in a merged fragment. The fragment may use any of the names of a setting.
 */
export function namedIn(fragment: JsonValue): Locate {
  return (path) => {
    let at: JsonValue | undefined = fragment;
    const located: (string | number)[] = [];
    for (const part of path) {
      let name = part;
      if (Array.isArray(at)) at = itemOf(at as readonly JsonValue[], part);
      else if (typeof at !== 'object' || at === null) break;
      else {
        // The value is neither an array nor a scalar, so it is an object.
        const object = at as Readonly<Record<string, JsonValue>>;
        name = [part, ...jsonNamesOf(part)].find((known) => Object.hasOwn(object, known)) ?? part;
        at = Object.hasOwn(object, name) ? object[name] : undefined;
      }
      if (at === undefined) return undefined;
      located.push(name);
    }
    return at === null ? undefined : [...located, ...path.slice(located.length)];
  };
}

function itemOf(items: readonly JsonValue[], part: string | number): JsonValue | undefined {
  if (typeof part === 'number') return items[0];
  return items.find(
    (item) =>
      typeof item === 'object' &&
      item !== null &&
      Object.entries(item).some(([key, value]) => NAMES.has(key) && value === part),
  );
}

const NAMES: ReadonlySet<string> = new Set(['name', 'prefix']);

/** Effect of a change on the streams of the configuration, by name. */
export interface ChangeEffect {
  readonly [key: string]: readonly string[];
  readonly streams_added: readonly string[];
  readonly streams_removed: readonly string[];
  /** Interrupted streams. */
  readonly streams_restarted: readonly string[];
  /** Streams that continue with their new settings. */
  readonly streams_updated: readonly string[];
}

export function changeEffect({ streams }: ConfigChange): ChangeEffect {
  const names = (mustRestart: boolean): string[] =>
    streams.changed.flatMap((stream) => (stream.mustRestart === mustRestart ? [stream.name] : []));
  return {
    streams_added: streams.added,
    streams_removed: streams.removed,
    streams_restarted: names(true),
    streams_updated: names(false),
  };
}
