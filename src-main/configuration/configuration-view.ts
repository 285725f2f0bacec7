import type { CallOutput, ConfigFileDiff, ConfigState } from '../../src-preload/contract/index.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { configJsonTexts } from '../config/config-json.ts';
import type { ConfigDocument } from '../config/document.ts';
import { diffLinesInSteps, type DiffHunk } from '../config/line-diff.ts';
import { maskedTexts, maskText } from '../config/edit/secret-words.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';
import type { ConfigVersion } from '../db/config-version.ts';
import { textPieces } from '../lib/text-pieces.ts';
import { runInTurns } from '../lib/turns.ts';
import type { Configuration } from './configuration.ts';
import { describeErrors } from './configuration-error.ts';

/** Runtime data for a view of the configuration. */
export interface RuntimeView {
  /** Facts of the server that are added to its settings or replace some of them. @param settings settings in the view */
  server(settings: { readonly [key: string]: JsonValue }): { readonly [key: string]: JsonValue };
  stream(name: string): { readonly [key: string]: JsonValue };
}

export interface ConfigViewOptions {
  /** Whether the inputs of a stream are called `urls`, as in the legacy API. */
  readonly isLegacy?: boolean;
  /** Whether defaults and inherited values are included. */
  readonly isFull?: boolean;
  /** Whether streams that always run are left out. */
  readonly skipsStatic?: boolean;
  /** Runtime data to add to the configuration. */
  readonly runtime?: RuntimeView;
  /** Additional facts, such as the effect of a change. */
  readonly more?: { readonly [key: string]: JsonValue };
}

/** Configuration as JSON text, in pieces that are created in short turns; secrets are masked. */
export function configView(
  { config, textBlocks = [] }: ConfigDocument,
  { isLegacy = false, isFull = false, skipsStatic = false, runtime, more }: ConfigViewOptions,
): AsyncIterable<string> {
  if (!config) throw new AirdeskError('internal', 'A configuration with mistakes cannot be shown');
  const options = {
    inputsKey: isLegacy ? ('urls' as const) : ('inputs' as const),
    isFull,
    skipsStatic,
    written: new Set(textBlocks.flatMap(({ fileDirectives }) => fileDirectives.map(({ name }) => name))),
    ...(runtime ? { more: (name: string) => runtime.stream(name) } : {}),
  };
  return textPieces(configJsonTexts(config, options, (settings) => ({ ...runtime?.server(settings), ...more })));
}

/** Configuration as text, in pieces that are created in short turns; secrets are masked. */
export function configTextView(document: ConfigDocument): AsyncIterable<string> {
  return textPieces(maskedTexts(document));
}

/** Version for the APIs and the desk. */
type VersionView = CallOutput<'config.versions'>['versions'][number];

export function versionView(configuration: Configuration, version: ConfigVersion): VersionView {
  return {
    id: version.id,
    parent_id: version.parentId,
    at: version.atMs,
    who: version.who,
    from_where: version.fromWhere,
    summary: version.summary,
    changes: version.changes,
    state: version.state,
    confirm_by: version.confirmByMs,
    // A version on probation, or one that was rolled back, never reached the file.
    on_disk: version.isOnDisk && version.state === 'confirmed',
    length: version.length,
    is_current: version.id === configuration.versionId,
  };
}

/** Page of the history, newest first. @param before lists only versions with a smaller number */
export function versionsView(
  configuration: Configuration,
  limit: number,
  before?: number,
): { readonly versions: VersionView[]; readonly next: number | null } {
  const found = configuration.history.list(limit + 1, before);
  const versions = found.slice(0, limit).map((version) => versionView(configuration, version));
  return { versions, next: found.length > limit ? (versions.at(-1)?.id ?? null) : null };
}

/** Difference between two versions, line by line; secrets are masked. @param to default: the version in force */
export async function diffView(
  configuration: Configuration,
  from: number,
  to?: number,
): Promise<{ readonly from: number; readonly to: number | null; readonly hunks: readonly DiffHunk[] }> {
  const before = await configuration.versions.document(from);
  const after = to === undefined ? configuration.document : await configuration.versions.document(to);
  return { from, to: to ?? configuration.versionId, hunks: await runInTurns(diffMasked(before, after)) };
}

/** Difference between the file and the configuration in force, line by line; secrets are masked. */
export async function fileDiffView(configuration: Configuration, file?: ConfigDocument): Promise<ConfigFileDiff> {
  if (!file) return { error: 'There is no configuration file', hunks: [] };
  const error = file.config ? null : describeErrors(file.errors);
  // Secrets cannot be located in a text that cannot be parsed, so no lines are shown.
  if (!file.textBlocks?.length) return { error, hunks: [] };
  const hunks = await runInTurns(diffMasked(configuration.document, file));
  const copied = hunks.map(({ removed, added, ...rest }) => ({ ...rest, removed: [...removed], added: [...added] }));
  return { error, hunks: copied };
}

function* diffMasked(before: ConfigDocument, after: ConfigDocument): Generator<void, readonly DiffHunk[]> {
  return yield* diffLinesInSteps(yield* maskText(before), yield* maskText(after));
}

/** Change on probation; null if there is none. */
export function pendingView({ pending }: Pick<Configuration, 'pending'>): ConfigState['pending'] {
  return (
    pending && {
      version: pending.versionId,
      confirm_by: pending.confirmByMs,
      who: pending.by.who,
      from_where: pending.by.fromWhere,
    }
  );
}
