import type { ALARM_STREAM_SETTINGS } from './schema/alarm-settings.ts';
import type { FILE_SETTINGS } from './schema/file-settings.ts';
import type { RECORDING_SETTINGS } from './schema/recording-fields.ts';
import type { RESERVED_STREAM_SETTINGS } from './schema/reserved-stream-settings.ts';
import type { PROTOCOL_SETTINGS } from './schema/protocol-settings.ts';
import type { SESSION_STREAM_SETTINGS } from './schema/session-settings.ts';
import type { SettingValues } from './schema/directive.ts';

/** An input of a stream. */
export interface InputConfig {
  readonly url: string;
  /** Which input comes first: 1 before 2. Where none is written, the place in the file, from 1. */
  readonly priority: number;
  /** How long it may give no frame before the stream moves on to another input; never longer than `sourceTimeoutMs`. */
  readonly framesTimeoutMs: number;
  /** How long it may give no frame before it is closed and opened again; that of the stream where the input has none of its own. */
  readonly sourceTimeoutMs: number;
  /** All other options, as written. */
  readonly options: Readonly<Record<string, string>>;
}

/** A file that plays while no input gives frames. */
interface BackupConfig {
  /** Absolute, or under the data folder. */
  readonly path: string;
  /** How long nothing may have given a frame before it plays; null for the default of the server. */
  readonly timeoutMs: number | null;
}

/** What holds for a stream, whether it is configured or made by a publisher. */
export interface StreamSettings
  extends
    SettingValues<typeof RECORDING_SETTINGS>,
    SettingValues<typeof RESERVED_STREAM_SETTINGS>,
    SettingValues<typeof SESSION_STREAM_SETTINGS>,
    SettingValues<typeof ALARM_STREAM_SETTINGS>,
    SettingValues<typeof PROTOCOL_SETTINGS> {
  /** In the order of the file. */
  readonly inputs: readonly InputConfig[];
  readonly title: string | null;
  readonly comment: string | null;
  readonly position: number | null;
  readonly isDisabled: boolean;
  /** Whether it runs without viewers. */
  readonly isStatic: boolean;
  /** What a publisher must give. */
  readonly password: string | null;
  readonly segmentDurationMs: number;
  readonly chunkDurationMs: number;
  /** How splice points are marked in HLS playlists. */
  readonly hlsScte35: 'rfc8216' | 'aws' | 'scte35';
  /** How breaks play. */
  readonly adBreaks: AdBreakSettings | null;
  /** Complete segments in a live playlist. */
  readonly segmentCount: number;
  readonly sourceTimeoutMs: number;
  readonly clientsTimeoutMs: number;
  /** What plays while no input gives frames. */
  readonly backup: BackupConfig | null;
  /** null: no limit. */
  readonly retryLimit: number | null;
  /** Directives that are kept as written. */
  readonly passthrough: readonly PassthroughDirective[];
}

/** How the breaks of a stream play: what is null is as it is without the directive. */
interface AdBreakSettings {
  readonly overrun: 'cut' | 'complete' | null;
  readonly fill: string | null;
  readonly hls: 'stitched' | 'interstitials' | null;
  readonly dash: 'single' | 'periods' | null;
  readonly archive: 'programme' | 'clips' | null;
}

/** A configured stream. */
export interface StreamConfig extends StreamSettings {
  readonly name: string;
  /** The template that it takes settings from; they are merged in already. */
  readonly template: string | null;
}

/** A pattern under which publishers create streams: a live prefix, or a template with or without prefixes. */
export interface TemplateConfig extends StreamSettings {
  readonly name: string;
  readonly prefixes: readonly string[];
  /** Whether encoders may publish under the prefixes: they may, unless the inputs are all of another kind. */
  readonly isPublishAllowed: boolean;
}

/** A directive that is kept as written, because nothing makes use of it yet. */
export interface PassthroughDirective {
  readonly name: string;
  readonly args: readonly string[];
  readonly options: readonly (readonly [key: string, value: string])[];
  readonly block: readonly PassthroughDirective[] | null;
}

/** The configuration of the server. An immutable value; maps are in the order of the file. */
export interface Config extends SettingValues<typeof FILE_SETTINGS> {
  readonly streams: ReadonlyMap<string, StreamConfig>;
  /** By live prefix. */
  readonly lives: ReadonlyMap<string, TemplateConfig>;
  /** By name. */
  readonly templates: ReadonlyMap<string, TemplateConfig>;
  readonly passthrough: readonly PassthroughDirective[];
}

/** The live prefix or template that a name lies under, the longest prefix first; undefined if none. */
export function findTemplate(config: Config, name: string): TemplateConfig | undefined {
  let found: TemplateConfig | undefined;
  let foundLength = -1;
  for (const templates of [config.lives, config.templates]) {
    for (const template of templates.values()) {
      for (const prefix of template.prefixes) {
        if (prefix.length > foundLength && name.length > prefix.length + 1 && name.startsWith(`${prefix}/`)) {
          found = template;
          foundLength = prefix.length;
        }
      }
    }
  }
  return found;
}
