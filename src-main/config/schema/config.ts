import type { SettingValues } from './directive.ts';
import type { FILE_SETTINGS } from './file-settings.ts';
import type { WrittenSettings } from './stream-settings.ts';

export interface InputConfig {
  readonly url: string;
  /** Order of the inputs: 1 before 2. Default: the position in the file, from 1. */
  readonly priority: number;
  /**
   * Time without a frame after which the stream switches to another input, in milliseconds; never longer than
   * `sourceTimeoutMs`.
   */
  readonly framesTimeoutMs: number;
  /** Time without a frame after which the input is closed and reopened, in milliseconds; default: the value of the stream. */
  readonly sourceTimeoutMs: number;
  /** All other options, as written. */
  readonly options: Readonly<Record<string, string>>;
}

/** Settings of a stream, configured or published: the values of its table, with inputs in their final form. */
export interface StreamSettings extends Omit<WrittenSettings, 'inputs'> {
  /** In the order of the file. */
  readonly inputs: readonly InputConfig[];
  /** Directives that are kept as written. */
  readonly passthrough: readonly PassthroughDirective[];
}

export interface StreamConfig extends StreamSettings {
  readonly name: string;
  /** Name of its template, whose settings are already merged. */
  readonly template: string | null;
}

/** Name pattern under which publishers create streams: a live prefix, or a template with or without prefixes. */
export interface TemplateConfig extends StreamSettings {
  readonly name: string;
  readonly prefixes: readonly string[];
  /** Whether encoders may publish under the prefixes: true unless all inputs are of another kind. */
  readonly isPublishAllowed: boolean;
}

/** Directive that is kept as written, because nothing uses it yet. */
export interface PassthroughDirective {
  readonly name: string;
  readonly args: readonly string[];
  readonly options: readonly (readonly [key: string, value: string])[];
  readonly block: readonly PassthroughDirective[] | null;
}

/** Configuration of the server. Immutable; maps have the order of the file. */
export interface Config extends SettingValues<typeof FILE_SETTINGS> {
  readonly streams: ReadonlyMap<string, StreamConfig>;
  /** By prefix. */
  readonly livePrefixes: ReadonlyMap<string, TemplateConfig>;
  /** By name. */
  readonly templates: ReadonlyMap<string, TemplateConfig>;
  readonly passthrough: readonly PassthroughDirective[];
}

/** Finds the live prefix or template for a name, the longest prefix first; undefined if there is none. */
export function findTemplate(config: Config, name: string): TemplateConfig | undefined {
  let found: TemplateConfig | undefined;
  let foundLength = -1;
  for (const templates of [config.livePrefixes, config.templates]) {
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
