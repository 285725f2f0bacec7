import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import type { Config } from '../schema/config.ts';
import { DIRECTIVES } from '../schema/directives.ts';
import { FILE_FALLBACKS, FILE_SETTINGS } from '../schema/file-settings.ts';
import { readTableInSteps } from '../schema/table.ts';
import { expectedForm, listenerSchema, type Listener } from '../schema/value-schema.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { locateIssue } from './locate-issue.ts';
import type { Problems } from './problem.ts';
import { BlockReader } from './read-block.ts';
import { moveDirective, TEXT_BLOCKS_PER_STEP, type TextBlock, type TextBlockOffsets } from './text-block.ts';

/** Settings of the server itself. */
export type TopLevel = Omit<Config, 'streams' | 'livePrefixes' | 'templates'>;

/** Reads the settings of the server itself from the statements that define no stream, template or prefix. Runs in steps. */
export function* readTopLevel(
  textBlocks: readonly TextBlock[],
  offsets: TextBlockOffsets,
  problems: Problems,
): Generator<void, TopLevel> {
  const directives: ConfigDirective[] = [];
  for (const [index, textBlock] of textBlocks.entries()) {
    if (index % TEXT_BLOCKS_PER_STEP === TEXT_BLOCKS_PER_STEP - 1) yield;
    for (const directive of textBlock.fileDirectives) {
      directives.push(moveDirective(directive, offsets.offsetOf(index), offsets.linesBefore(index)));
      yield;
    }
  }
  const { raw, passthrough } = yield* new BlockReader(problems, offsets).read(directives, 'file', []);
  const { values, issues } = yield* readTableInSteps(FILE_SETTINGS, FILE_FALLBACKS, raw);
  for (const issue of issues) {
    const { at, directive, path, found } = locateIssue(issue.path, directives, 'file', 0);
    problems.error(
      at,
      'config_bad_value',
      path,
      because('directive_value_wrong', { name: directive, expected: expectedForm(issue) }),
      {
        expected: issue.message,
        found,
      },
    );
  }
  if (issues.length === 0) checkListeners(directives, problems);
  return { ...values, passthrough };
}

/** Reports ports that are used twice. */
function checkListeners(directives: readonly ConfigDirective[], problems: Problems): void {
  const taken = new Map<string, ConfigDirective>();
  for (const directive of directives) {
    const known = DIRECTIVES.file.get(directive.name);
    if (known?.kind !== 'setting' || !LISTENERS.has(known.key)) continue;
    for (const [index, word] of argumentsOf(directive).entries()) {
      const listener: Listener | undefined = listenerSchema.safeParse(word.value).data;
      if (!listener || listener.port === 0) continue;
      const key = `${listener.host ?? '*'}:${listener.port}`;
      const holder = taken.get(key);
      if (holder === undefined) taken.set(key, directive);
      else
        problems.error(
          word.from,
          'config_duplicate',
          [known.key, index],
          because('address_already_used', { address: word.value, name: holder.name, line: holder.line }),
          {
            found: word.value,
          },
        );
    }
  }
}

/** Directives that open a TCP port. SRT and SNMP use UDP. */
const LISTENERS: ReadonlySet<string> = new Set([
  'http',
  'https',
  'rtmp',
  'rtmps',
  'rtsp',
  'mysql',
] satisfies readonly (keyof typeof FILE_SETTINGS)[]);
