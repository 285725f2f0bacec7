import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import type {
  InputConfig,
  PassthroughDirective,
  StreamConfig,
  StreamSettings,
  TemplateConfig,
} from '../schema/config.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { locateIssue } from './locate-issue.ts';
import type { ConfigPath, Problems } from './problem.ts';
import type { BlockReading } from './read-block.ts';
import {
  SETTINGS_OF_LIVE,
  SETTINGS_OF_STREAM,
  SETTINGS_OF_TEMPLATE,
  SOURCE_TIMEOUT_MS,
  STREAM_FALLBACKS,
  type WrittenSettings,
} from '../schema/stream-settings.ts';
import { readTableInSteps, type TableIssue } from '../schema/table.ts';
import { expectedForm, formExpectedBy, nameSchema, printDuration } from '../schema/value-schema.ts';

export type StreamBlockName = 'stream' | 'live' | 'template';
/** Collections of the configuration, by their blocks. */
export const COLLECTION = { stream: 'streams', live: 'lives', template: 'templates' } as const;

/** Reads the name of a block that defines streams; undefined if it is missing or wrong, which is reported. */
export function readBlockName(
  problems: Problems,
  directive: ConfigDirective,
  kind: StreamBlockName,
): string | undefined {
  const [word, extra] = argumentsOf(directive);
  const collection = COLLECTION[kind];
  if (!word || extra) {
    const at = extra?.from ?? directive.nameTo;
    problems.error(at, 'config_syntax', [collection], because('directive_one_name', { name: kind }), {
      expected: word ? '{' : 'a name',
      found: extra?.value ?? '{',
    });
    return undefined;
  }
  const checked = nameSchema.safeParse(word.value);
  if (checked.success) return word.value;
  const expected = formExpectedBy(checked.error);
  problems.error(
    word.from,
    'config_bad_value',
    [collection, word.value.slice(0, 80)],
    because('name_invalid', { expected }),
    { expected: expected.detail, found: word.value },
  );
  return undefined;
}

/** Stream of a block, with the settings of its template; undefined if there are mistakes, which are reported. In steps. */
export function* mapStream(
  problems: Problems,
  name: string,
  directive: ConfigDirective,
  own: BlockReading,
  template: BlockReading | undefined,
): Generator<void, StreamConfig | undefined> {
  const path = ['streams', name];
  const raw = template ? { ...template.raw, ...own.raw } : own.raw;
  const { values, issues } = yield* readTableInSteps(SETTINGS_OF_STREAM, STREAM_FALLBACKS.stream, raw);
  if (reportIssues(problems, issues, directive, 'stream', path)) return undefined;
  const passthrough = template ? mergePassthrough(template.passthrough, own.passthrough) : own.passthrough;
  const { template: templateName, ...settings } = values;
  return { name, template: templateName, ...complete(problems, settings, passthrough, directive, path) };
}

/** Template of a `template` or `live` block; undefined if there are mistakes. In steps. */
export function* mapTemplate(
  problems: Problems,
  name: string,
  directive: ConfigDirective,
  reading: BlockReading,
  kind: 'template' | 'live',
): Generator<void, TemplateConfig | undefined> {
  const path = [COLLECTION[kind], name];
  if (kind === 'live') {
    const { values, issues } = yield* readTableInSteps(SETTINGS_OF_LIVE, STREAM_FALLBACKS.live, reading.raw);
    if (reportIssues(problems, issues, directive, kind, path)) return undefined;
    return makeTemplate(name, [name], complete(problems, values, reading.passthrough, directive, path));
  }
  const { values, issues } = yield* readTableInSteps(SETTINGS_OF_TEMPLATE, STREAM_FALLBACKS.template, reading.raw);
  if (reportIssues(problems, issues, directive, kind, path)) return undefined;
  const { prefixes, ...settings } = values;
  return makeTemplate(name, prefixes, complete(problems, settings, reading.passthrough, directive, path));
}

/** Reports refused values, at the words that caused the refusal. Returns false if there are none. */
function reportIssues(
  problems: Problems,
  issues: readonly TableIssue[],
  directive: ConfigDirective,
  kind: StreamBlockName,
  path: ConfigPath,
): boolean {
  for (const issue of issues) {
    const location = locateIssue(issue.path, directive.block ?? [], kind, directive.from);
    problems.error(
      location.at,
      'config_bad_value',
      [...path, ...location.path],
      because('directive_value_wrong', { name: location.directive, expected: expectedForm(issue) }),
      { expected: issue.message, found: location.found },
    );
  }
  return issues.length > 0;
}

function makeTemplate(name: string, prefixes: readonly string[], settings: StreamSettings): TemplateConfig {
  const takesPublishers = settings.inputs.length === 0 || settings.inputs.some(({ url }) => /^publish:/i.test(url));
  return { name, prefixes, isPublishAllowed: prefixes.length > 0 && takesPublishers, ...settings };
}

function complete(
  problems: Problems,
  values: WrittenSettings,
  passthrough: readonly PassthroughDirective[],
  directive: ConfigDirective,
  path: ConfigPath,
): StreamSettings {
  const { sourceTimeoutMs, segmentDurationMs, chunkDurationMs } = values;
  if (chunkDurationMs > segmentDurationMs) {
    const blame =
      directive.block?.find(({ name }) => name === 'chunk_duration') ??
      directive.block?.find(({ name }) => name === 'segment_duration') ??
      directive;
    const reason = because('part_longer_than_segment', {
      part: printDuration(chunkDurationMs),
      segment: printDuration(segmentDurationMs),
    });
    problems.error(
      blame.args[0]?.from ?? blame.from,
      'config_bad_value',
      [...path, blame === directive ? 'chunk_duration' : blame.name],
      reason,
    );
  }
  return {
    ...values,
    inputs: values.inputs.map((input, index) => inputConfig(input, index, sourceTimeoutMs)),
    passthrough,
  };
}

/** Default time for which an input may be silent before the stream switches to another input, in milliseconds. */
export const FRAMES_TIMEOUT_MS = 3000;

function inputConfig(input: WrittenSettings['inputs'][number], index: number, ofStreamMs: number): InputConfig {
  const sourceTimeoutMs = input.sourceTimeoutMs ?? ofStreamMs;
  const isSet = input.sourceTimeoutMs !== null || ofStreamMs !== SOURCE_TIMEOUT_MS;
  const framesTimeoutMs = Math.min(
    input.framesTimeoutMs ?? (isSet ? sourceTimeoutMs : FRAMES_TIMEOUT_MS),
    sourceTimeoutMs,
  );
  return {
    url: input.url,
    priority: input.priority ?? index + 1,
    framesTimeoutMs,
    sourceTimeoutMs,
    options: input.options,
  };
}

/**
 * Directives of a template, followed by the directives of the stream. A directive of the stream replaces template directives of
 * the same name.
 */
function mergePassthrough(
  ofTemplate: readonly PassthroughDirective[],
  own: readonly PassthroughDirective[],
): readonly PassthroughDirective[] {
  if (ofTemplate.length === 0) return own;
  const names = new Set(own.map(({ name }) => name));
  return [...ofTemplate.filter(({ name }) => !names.has(name)), ...own];
}
