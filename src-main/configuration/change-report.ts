import type { ConfigChange } from '../config/diff-config.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { ConfigError, ConfigPath } from '../config/parse/problem.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';

/** Most warnings that one answer lists. */
const MAX_WARNINGS = 100;
const COLLECTIONS: ReadonlySet<string | number | undefined> = new Set(['streams', 'lives', 'templates']);

/** What should be known of a document, such as settings without effect, as far as it concerns what is named; at most 100. Their lines count within their block. */
export function documentWarnings(
  { textBlocks = [], warnings }: ConfigDocument,
  isNamed: (path: ConfigPath) => boolean = () => true,
): readonly ConfigError[] {
  const found = warnings.filter(({ path }) => !COLLECTIONS.has(path[0]) && isNamed(path));
  // The list of the document is bounded, and a long configuration fills it: streams are asked themselves.
  for (const { blocks } of textBlocks) {
    for (const { problems } of blocks)
      if (problems.warnings.length > 0) found.push(...problems.warnings.filter(({ path }) => isNamed(path)));
    if (found.length >= MAX_WARNINGS) break;
  }
  return found.slice(0, MAX_WARNINGS);
}

/** Which places a fragment names that is merged: those whose value it sets, or that it holds as a part. */
export function namedIn(fragment: JsonValue): (path: ConfigPath) => boolean {
  return (path) => {
    let at: JsonValue | undefined = fragment;
    for (const part of path) {
      if (Array.isArray(at)) at = itemOf(at as readonly JsonValue[], part);
      else if (typeof at !== 'object' || at === null) break;
      else at = Object.hasOwn(at, part) ? (at as Readonly<Record<string, JsonValue>>)[part] : undefined;
      if (at === undefined) return false;
    }
    return at !== null;
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

/** What putting a change into force does to the streams of the configuration, by name. */
export interface ChangeEffect {
  readonly [key: string]: readonly string[];
  readonly streams_added: readonly string[];
  readonly streams_removed: readonly string[];
  /** They are interrupted. */
  readonly streams_restarted: readonly string[];
  /** They go on with their new settings. */
  readonly streams_updated: readonly string[];
}

/** What a change does to the streams. */
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
