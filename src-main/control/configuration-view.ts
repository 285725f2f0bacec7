import type { ConfigFileDiff } from '../../src-preload/contract/config-state.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { configJsonText } from '../config/config-json.ts';
import type { ConfigDocument } from '../config/document.ts';
import { diffLinesInSteps, type DiffHunk } from '../config/line-diff.ts';
import { maskText } from '../config/edit/secret-words.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';
import type { ConfigVersion } from '../db/config-version.ts';
import { runInTurns } from '../lib/turns.ts';
import type { ApiHouse } from './api-house.ts';
import type { Configuration } from './configuration.ts';
import { describeErrors } from './configuration-error.ts';
import { olderMedia } from './older-media.ts';

/** How the configuration is told. */
export interface ConfigViewOptions {
  /** The older API calls the inputs of a stream `urls`. */
  readonly isOlder?: boolean;
  /** Whether what holds without being written is told too. */
  readonly isFull?: boolean;
  /** Whether streams that run all the time are left out. */
  readonly skipsStatic?: boolean;
  /** What runs is told beside what is configured. */
  readonly runtime?: ApiHouse;
}

/** A configuration as JSON text, made in short turns; a mask stands for each secret. */
export function configView(
  { config }: ConfigDocument,
  { isOlder = false, isFull = false, skipsStatic = false, runtime }: ConfigViewOptions,
): Promise<string> {
  if (!config) throw new AirdeskError('internal', 'A configuration with mistakes cannot be told');
  const options = {
    inputsKey: isOlder ? ('urls' as const) : ('inputs' as const),
    isFull,
    skipsStatic,
    ...(runtime ? { more: (name: string) => runtimeOfStream(runtime, name) } : {}),
  };
  return runInTurns(configJsonText(config, options, runtime ? runtimeOfServer(runtime) : {}));
}

/** A configuration as text, made in short turns; a mask stands for each secret. */
export function configTextView(document: ConfigDocument): Promise<string> {
  return runInTurns(maskText(document));
}

/** A version as it is told. */
export interface VersionView {
  readonly [key: string]: JsonValue;
  readonly id: number;
  readonly parent_id: number | null;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly who: string;
  readonly from_where: string;
  readonly summary: string;
  readonly state: ConfigVersion['state'];
  /** Epoch milliseconds; null where it waits for nothing. */
  readonly confirm_by: number | null;
  readonly on_disk: boolean;
  /** Characters of the text. */
  readonly length: number;
  readonly is_current: boolean;
}

/** A version as it is told. */
export function versionView(configuration: Configuration, version: ConfigVersion): VersionView {
  return {
    id: version.id,
    parent_id: version.parentId,
    at: version.atMs,
    who: version.who,
    from_where: version.fromWhere,
    summary: version.summary,
    state: version.state,
    confirm_by: version.confirmByMs,
    // A version on probation, or one that was taken back, never got into the file.
    on_disk: version.isOnDisk && version.state === 'confirmed',
    length: version.length,
    is_current: version.id === configuration.versionId,
  };
}

/** A portion of the history, newest first. @param before only versions with a smaller number */
export function versionsView(
  configuration: Configuration,
  limit: number,
  before?: number,
): { readonly versions: VersionView[]; readonly next: number | null } {
  const found = configuration.history.list(limit + 1, before);
  const versions = found.slice(0, limit).map((version) => versionView(configuration, version));
  return { versions, next: found.length > limit ? (versions.at(-1)?.id ?? null) : null };
}

/** How two versions differ, line by line; a mask stands for each secret. @param to what is in force where none is named */
export async function diffView(
  configuration: Configuration,
  from: number,
  to?: number,
): Promise<{ readonly from: number; readonly to: number | null; readonly hunks: readonly DiffHunk[] }> {
  const older = await configuration.maskedVersion(from);
  const newer = to === undefined ? await configuration.maskedText() : await configuration.maskedVersion(to);
  return { from, to: to ?? configuration.versionId, hunks: await runInTurns(diffLinesInSteps(older, newer)) };
}

/** How the file on disk differs from what is in force, line by line; a mask stands for each secret. */
export async function fileDiffView(configuration: Configuration): Promise<ConfigFileDiff> {
  const file = await configuration.fileDocument();
  if (!file) return { error: 'The file is gone', hunks: [] };
  const error = file.config ? null : describeErrors(file.errors);
  const text = await runInTurns(maskText(file));
  // Of a text that cannot be read nobody knows what is a secret.
  if (text === '') return { error, hunks: [] };
  const hunks = await runInTurns(diffLinesInSteps(await configuration.maskedText(), text));
  const copied = hunks.map(({ removed, added, ...rest }) => ({ ...rest, removed: [...removed], added: [...added] }));
  return { error, hunks: copied };
}

/** The change that waits for its confirmation. */
export function pendingView({ pending }: Configuration): { readonly [key: string]: JsonValue } | null {
  return (
    pending && {
      version: pending.versionId,
      confirm_by: pending.confirmByMs,
      who: pending.by.who,
      from_where: pending.by.fromWhere,
    }
  );
}

/** What the server says of itself beside its configuration. */
export function configStatsView(
  configuration: Configuration,
  { stats, describe }: Pick<ApiHouse, 'stats' | 'describe'>,
  alerts: Readonly<Record<string, string>>,
): { readonly [key: string]: JsonValue } {
  const { hostname, version, started_at: startedMs } = describe();
  const figures = stats.figures();
  return {
    server_version: version,
    hostname,
    started_at: startedMs,
    uptime: figures.uptimeSeconds,
    streamer_status: configuration.error === null ? 'running' : 'broken_config',
    config_error: configuration.error,
    config_version: [...configuration.revision],
    next_version: null,
    version: configuration.versionId,
    saved: configuration.isOnDisk,
    pending: pendingView(configuration),
    text_alerts: alerts,
    cpu_usage: figures.cpuPercent,
    memory_usage: figures.memoryPercent,
    scheduler_load: figures.schedulerPercent,
    total_clients: figures.totalClients,
    total_streams: figures.totalStreams,
    online_streams: figures.onlineStreams,
    input_kbit: figures.inputKbit,
    output_kbit: figures.outputKbit,
  };
}

function runtimeOfServer({ stats, describe }: ApiHouse): { readonly [key: string]: JsonValue } {
  const { version, hostname } = describe();
  const { uptimeSeconds, totalClients, totalStreams, onlineStreams, inputKbit, outputKbit } = stats.figures();
  return {
    version,
    hostname,
    uptime: uptimeSeconds,
    total_clients: totalClients,
    total_streams: totalStreams,
    online_streams: onlineStreams,
    input_kbit: inputKbit,
    output_kbit: outputKbit,
  };
}

function runtimeOfStream(house: ApiHouse, name: string): { readonly [key: string]: JsonValue } {
  const entry = house.streams.get(name);
  // What the contract describes is JSON, though its type has no index.
  return entry ? { stats: olderMedia(house, entry).value.stats as unknown as JsonValue } : {};
}
