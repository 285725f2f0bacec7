import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BlockName } from '../src-main/config/schema/directive.ts';
import { DIRECTIVES, type KnownDirective } from '../src-main/config/schema/directives.ts';
import { INPUT_OPTIONS } from '../src-main/config/schema/input-setting.ts';
import {
  SETTINGS_OF_STREAM,
  SETTINGS_OF_TEMPLATE,
  STREAM_SETTINGS,
} from '../src-main/config/schema/stream-settings.ts';
import { wrapMarkdown } from './wrap-markdown.ts';

/** Where the reference lies. */
export const CONFIG_DOCS_FILE = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url));

const INTRODUCTION = `# Configuration

One text file is the truth: \`airdesk.conf\` in the data folder, or the file given with \`--config\`. It can be edited by hand, in the desk and through
the API; comments, order and spacing of what is not changed stay as they are. Without a file Airdesk runs a demonstration.

This page is written by \`scripts/write-config-docs.ts\` from the tables that the server itself reads with.

## The text

\`\`\`
# What stands behind a # is a comment.
http 8080;
rtmp 1935;

stream news {
  title "News, studio 1";
  input udp://239.0.0.1:1234 priority=1 source_timeout=5;
  input publish:// priority=2;
}

live mobile {
  segment_duration 2;
}
\`\`\`

- A statement is the name of a directive, its values, its options (\`key=value\`), and \`;\`, or a block in \`{ }\` instead of the \`;\`. Line breaks count as spaces.
- A value ends at white space, \`;\`, \`{\` or \`}\`. Values with one of these, empty values, values that begin with \`#\` or \`"\`, and values that look like an option stand
  in \`"quotation marks"\`, on one line. Within them \`\\"\` is a quotation mark, \`\\\\\` a backslash, and \`\\n\`, \`\\r\`, \`\\t\`, \`\\u{1f4fa}\` are characters by their code.
- Times are numbers with a unit: \`500ms\`, \`2s\`, \`1.5m\`, \`1h\`, \`2d\`. Without a unit the number has the unit that the directive names.
- The file is UTF-8; lines end with LF or CR LF.
- Every mistake is reported with its line and column, and a configuration with a mistake is not taken over at all.
`;

interface Section {
  readonly title: string;
  readonly text: string;
  readonly directives: readonly KnownDirective[];
}

/** The reference of all directives, as Markdown. */
export function configDocs(): string {
  return wrapMarkdown([INTRODUCTION, ...sections().map(printSection)].join('\n'));
}

function sections(): Section[] {
  const stream = unique('stream');
  return [
    { title: 'Top level', text: 'Outside of all blocks.', directives: unique('file').filter(isEffective) },
    {
      title: 'In stream, live and template',
      text: 'What a stream does. In `live` and `template` it holds for all streams that they make.',
      directives: stream
        .filter(isEffective)
        .filter((known) => known.kind === 'setting' && Object.hasOwn(STREAM_SETTINGS, known.key)),
    },
    { title: 'In stream only', text: '', directives: only(stream, SETTINGS_OF_STREAM) },
    { title: 'In template only', text: '', directives: only(unique('template'), SETTINGS_OF_TEMPLATE) },
    {
      title: 'Top level, without effect yet',
      text: 'These directives are understood, kept, and reported as warnings: this version makes no use of them.',
      directives: unique('file').filter((known) => !isEffective(known)),
    },
    {
      title: 'In stream, live and template, without effect yet',
      text: 'Understood and kept, as above.',
      directives: stream.filter((known) => !isEffective(known)),
    },
    { title: 'In api_auth', text: 'A login for the HTTP API.', directives: unique('api_auth') },
    ...(
      [
        'api_token',
        'auth_backend',
        'vod',
        'dvr',
        'event_sink',
        'file_processor',
        'source',
        'peer',
        'rproxy',
        'logo',
      ] as const
    ).map((block) => {
      const directives = unique(block);
      return directives.some(isEffective)
        ? { title: `In ${block}`, text: '', directives }
        : { title: `In ${block}, without effect yet`, text: 'Understood and kept, as above.', directives };
    }),
  ];
}

function isEffective(known: KnownDirective): boolean {
  return known.kind === 'stream-block' || (known.kind === 'setting' && !known.entry.isReserved);
}

function only(directives: readonly KnownDirective[], table: object): readonly KnownDirective[] {
  return directives.filter(
    (known) =>
      known.kind === 'setting' && Object.hasOwn(table, known.key) && !Object.hasOwn(STREAM_SETTINGS, known.key),
  );
}

function unique(block: BlockName): KnownDirective[] {
  return [...new Set(DIRECTIVES[block].values())];
}

function printSection({ title, text, directives }: Section): string {
  return `${[`## ${title}`, ...(text === '' ? [] : [text]), ...directives.map(printDirective)].join('\n\n')}\n`;
}

function printDirective(known: KnownDirective): string {
  const { entry } = known;
  const facts = [`- Written: \`${entry.usage}\``];
  if (entry.aliases) facts.push(`- Other names: ${entry.aliases.map((alias) => `\`${alias}\``).join(', ')}`);
  if (entry.default !== undefined) facts.push(`- Default: \`${entry.default}\``);
  if (entry.unit !== undefined) facts.push(`- Unit without one: ${entry.unit}`);
  if (known.kind === 'setting')
    facts.push(`- A change ${known.entry.change === 'restart' ? 'restarts what it concerns' : 'interrupts nothing'}`);
  return [`### ${entry.directive}`, entry.doc, facts.join('\n'), `\`\`\`\n${entry.example}\n\`\`\``].join('\n\n');
}

/** The page with the table of input options. */
export const INPUT_DOCS_FILE = fileURLToPath(new URL('../docs/reference/inputs.md', import.meta.url));

/** A page with the table of input options as the code has it, between its two marks. */
export function withInputOptions(page: string): string {
  const rows = Object.entries(INPUT_OPTIONS).map(
    ([scheme, options]) => `| \`${scheme}\` | ${options.map((option) => `\`${option}\``).join(', ') || 'none'} |`,
  );
  const table = ['| scheme | options |', '|---|---|', ...rows].join('\n');
  return page.replace(
    /(<!-- input options: [^\n]* -->\n)[\s\S]*?(<!-- end of input options -->)/,
    (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(CONFIG_DOCS_FILE, configDocs());
  writeFileSync(INPUT_DOCS_FILE, withInputOptions(readFileSync(INPUT_DOCS_FILE, 'utf8')));
}
