import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DirectiveEdit } from '../../src-preload/contract/operations/config-calls.ts';
import { statementsOf, type FormStatement } from '../../src-preload/contract/config-language/block-form.ts';
import { parseConfigText } from '../../src-preload/contract/config-language/parse.ts';
import { directiveHelp } from '../config/directive-help.ts';
import { ConfigDocument } from '../config/document.ts';
import type { Configuration } from './configuration.ts';
import { textAfterEdits } from './text-calls.ts';

const HELP = directiveHelp()['stream'] ?? [];
// Only the document of the configuration in force is used.
const configuration = { document: ConfigDocument.parse('') } as unknown as Configuration;

const statement = fc.constantFrom(
  'title "Camera 1";',
  'title\tGate  ;',
  'input fake://?a=b  priority=1 ;',
  'input publish://;',
  'password "********";',
  'segment_duration 4s; # short',
  'disabled;',
  'allow_ips 192.0.2.1 192.0.2.0/24;',
);
const comment = fc.integer({ min: 0, max: 999 }).map((number) => `# comment ${number}`);
const body = fc.array(fc.oneof(statement, comment, fc.constant('')), { maxLength: 8 });
const edit = fc.oneof(
  fc.record({
    directive: fc.constantFrom('title', 'password'),
    words: fc.tuple(fc.string({ minLength: 1, maxLength: 12 })),
  }),
  fc.record({ directive: fc.constant('segment_duration'), words: fc.tuple(fc.constantFrom('1', '2500ms')) }),
  fc.record({
    directive: fc.constant('input'),
    words: fc.tuple(fc.constantFrom('fake://', 'udp://239.0.0.1:1234')),
    options: fc.dictionary(fc.constantFrom('priority', 'source_timeout'), fc.constantFrom('1', '2')),
  }),
  fc.record({ directive: fc.constantFrom('title', 'input', 'disabled', 'allow_ips'), words: fc.constant(null) }),
);
/** Steps in sequence: a change in the form, or a line that is typed into the text. */
const steps = fc.array(
  fc.oneof(fc.record({ edit, at: fc.nat(1) }), fc.record({ line: fc.oneof(statement, comment), at: fc.nat(20) })),
  {
    minLength: 1,
    maxLength: 6,
  },
);

const shape = ({ directive, words, options }: FormStatement): unknown => ({ directive, words, options });
const blockOf = (text: string): string => text.slice(text.indexOf('stream cam'));
const form = (text: string): readonly FormStatement[] =>
  statementsOf(parseConfigText(blockOf(text)).directives[0]?.block ?? [], HELP);
const comments = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim().startsWith('#'));

function typed(text: string, line: string, at: number): string {
  const lines = text.split('\n');
  const first = lines.findIndex((one) => one.startsWith('stream cam')) + 1;
  const last = lines.lastIndexOf('}');
  lines.splice(Math.min(first + at, last), 0, `  ${line}`);
  return lines.join('\n');
}

/** Expected form after a change. */
function expected(
  before: readonly FormStatement[],
  { directive, index, words, options = {} }: DirectiveEdit,
): unknown[] {
  const place = before.findIndex((one) => one.directive === directive && one.index === index);
  const kept = before.map(shape);
  if (words === null) return place < 0 ? kept : kept.toSpliced(place, 1);
  const written = { directive, words, options: Object.entries(options) };
  if (place >= 0) return kept.toSpliced(place, 1, written);
  const lastAlike = before.findLastIndex((one) => one.directive === directive);
  return lastAlike < 0 ? [...kept, written] : kept.toSpliced(lastAlike + 1, 0, written);
}

it('the text and the form of a configuration stay consistent after any input, with all comments in order', async () => {
  await fc.assert(
    fc.asyncProperty(body, steps, async (lines, changes) => {
      let text = ['# first', 'stream cam {', ...lines.map((line) => `  ${line}`), '}', '# last', ''].join('\n');
      for (const change of changes) {
        if ('line' in change) {
          text = typed(text, change.line, change.at);
          continue;
        }
        const before = form(text);
        const count = before.filter(({ directive }) => directive === change.edit.directive).length;
        const newEdit: DirectiveEdit = {
          block: 'stream',
          name: 'cam',
          ...change.edit,
          index: Math.min(change.at, count),
        };
        const { text: after, errors } = await textAfterEdits(configuration, { text, edits: [newEdit] });
        if (errors.length > 0) {
          expect(after).toBe(text);
          continue;
        }
        // The order of options is not compared: new options are appended.
        const sorted = (list: readonly unknown[]): unknown =>
          list.map((one) =>
            JSON.stringify(one, (key, value: unknown) => (key === 'options' ? (value as unknown[]).toSorted() : value)),
          );
        expect(sorted(form(after).map(shape))).toEqual(sorted(expected(before, newEdit)));
        expect(comments(after)).toEqual(comments(text));
        text = after;
      }
    }),
    { numRuns: 100 },
  );
});
