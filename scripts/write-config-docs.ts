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
import { linkPages, wrapMarkdown } from './wrap-markdown.ts';

/** Path of the reference. */
export const CONFIG_DOCS_FILE = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url));

const INTRODUCTION = `# Configuration

The configuration is one text file: \`airdesk.conf\` in the data folder, or the file given with \`--config\`. Edit it with an editor, on the desk or
through the API: comments, order and spacing stay. Without a file Airdesk runs a demonstration. [Change the configuration](../guides/configuration.md) has the steps.

\`scripts/write-config-docs.ts\` writes this page from the tables of the server.

## The text

\`\`\`
# A comment.
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

- A statement consists of the name of a directive, its values, its options (\`key=value\`), and \`;\` or a block in \`{ }\`. Line breaks count as spaces.
- A value ends at white space, \`;\`, \`{\` or \`}\`. Put a value into \`"quotation marks"\`, on one line, if it contains one of these, is empty, starts with \`#\` or \`"\`, or looks like an option.
  Inside them \`\\"\` is a quotation mark, \`\\\\\` a backslash, and \`\\n\`, \`\\r\`, \`\\t\`, \`\\u{1f4fa}\` are characters by their code.
- Times are numbers with a unit: \`500ms\`, \`2s\`, \`1.5m\`, \`1h\`, \`2d\`. Each directive has a default unit.
- The file is UTF-8; lines end with LF or CR LF.
- Every mistake is reported with line and column. A configuration with a mistake is not applied.
`;

interface Section {
  readonly title: string;
  readonly text: string;
  readonly directives: readonly KnownDirective[];
}

/** The reference of all directives, as Markdown. */
export function configDocs(): string {
  return wrapMarkdown(linkPages([INTRODUCTION, ...sections().map(printSection)].join('\n')));
}

function sections(): Section[] {
  const stream = unique('stream');
  return [
    { title: 'Top level', text: 'Outside of all blocks.', directives: unique('file').filter(isEffective) },
    {
      title: 'In stream, live and template',
      text: 'Settings of a stream. In `live` and `template` they apply to all their streams.',
      directives: stream
        .filter(isEffective)
        .filter((known) => known.kind === 'setting' && Object.hasOwn(STREAM_SETTINGS, known.key)),
    },
    { title: 'In stream only', text: '', directives: only(stream, SETTINGS_OF_STREAM) },
    { title: 'In template only', text: '', directives: only(unique('template'), SETTINGS_OF_TEMPLATE) },
    {
      title: 'Top level, without effect yet',
      text: 'This version reads and keeps these directives, does not use them, and reports a warning.',
      directives: unique('file').filter((known) => !isEffective(known)),
    },
    {
      title: 'In stream, live and template, without effect yet',
      text: 'Read and kept, as above.',
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
        : { title: `In ${block}, without effect yet`, text: 'Read and kept, as above.', directives };
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

/** Number of characters from which a description is split into two paragraphs. */
const LONG_DESCRIPTION = 600;

/** Splits a long description into paragraphs: at the sentence nearest to its middle, and long parts again. */
function paragraphs(doc: string): string {
  if (doc.includes('\n')) return doc;
  if (doc.length <= LONG_DESCRIPTION) return doc;
  const ends = [...doc.matchAll(/\. (?=[A-Z`])/g)].map(({ index }) => index + 1);
  const middle = ends.sort((a, b) => Math.abs(a - doc.length / 2) - Math.abs(b - doc.length / 2))[0];
  if (middle === undefined) return doc;
  return `${paragraphs(doc.slice(0, middle))}\n\n${paragraphs(doc.slice(middle + 1))}`;
}

function printDirective(known: KnownDirective): string {
  const { entry } = known;
  const facts = [`- Syntax: \`${entry.usage}\``];
  if (entry.aliases) facts.push(`- Other names: ${entry.aliases.map((alias) => `\`${alias}\``).join(', ')}`);
  if (entry.default !== undefined) facts.push(`- Default: \`${entry.default}\``);
  if (entry.unit !== undefined) facts.push(`- Default unit: ${entry.unit}`);
  if (known.kind === 'setting')
    facts.push(`- A change ${known.entry.change === 'restart' ? 'restarts the part concerned' : 'interrupts nothing'}`);
  return [`### ${entry.directive}`, paragraphs(entry.doc), facts.join('\n'), `\`\`\`\n${entry.example}\n\`\`\``].join(
    '\n\n',
  );
}

/** The page with the table of input options. */
export const INPUT_DOCS_FILE = fileURLToPath(new URL('../docs/reference/inputs.md', import.meta.url));

/** Replaces the table of input options between the two marks of a page. */
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
