import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesUnder, isGenerated, parse, textOf } from './source-files.ts';

/** Forbidden words, and the field's term for each. CONTRIBUTING.md has the table of the terms. */
const TERMS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(he(?!-)|him|his|himself|whom)\b/i, 'the viewer, the encoder, the operator; they'],
  [
    /\b(whoever|somebody|someone|nobody|everybody|anybody)\b/i,
    'the viewer, the caller, a client; no client, all clients',
  ],
  [/\b(tell|tells|told|telling)\b/i, 'emit, report, show; distinguish'],
  [/\bhouses?\b/i, 'context, services'],
  [/\blife\b/i, 'run'],
  [/\bforeign\b/i, 'external (read through FFmpeg); of another site'],
  [/\blanes?\b/i, 'track, rendition'],
  [/\bdoors?\b/i, 'interface, API, handler'],
  [/\bborders?\b/i, 'cut point, boundary'],
  [/\bstrangers?\b/i, 'client, attacker'],
  [/\bolder api\b/i, 'legacy API'],
  [/\bbegun\b/i, 'started'],
  [/\blet go\b/i, 'release'],
  [/\bstretch(es)?\b/i, 'range'],
  [/\banew\b/i, 'again'],
  [/\b(in the making|one after the other)\b/i, 'running; in sequence, one at a time'],
];

/** Words that are forbidden in names only, and the field's term for each. */
const NAME_TERMS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(un)?heard\b/i, 'received, report; audible'],
  [/\b(un)?asked\b|\baskers?\b/i, 'requested, requests; waiter'],
  [/\b(un)?wanted\b/i, 'requested, expected, needed'],
  [/\b(said|says|saying|meant)\b/i, 'text, sentence, states; target'],
  [/^most [a-z]|\bset most\b|\bat most$/i, 'max'],
];

/** Words that must not be the complete name of a function, type or class, and the term of the field for each. */
const COMPLETE_NAMES: readonly (readonly [word: RegExp, instead: string])[] = [
  [/^(asks?|asking)$/i, 'request, call, query'],
  [/^looks?$/i, 'probe, poll'],
  [/^(made|given|taken|held|kept|seen|known|found|own|gone)$/i, 'the noun of the result: reply, segment, cached entry'],
];

/** Places that need a forbidden word, each with the reason. */
const ALLOWED: readonly { readonly file: string; readonly word: string; readonly reason: string }[] = [
  { file: 'src-main/db/README.md', word: 'foreign', reason: 'foreign keys of SQL' },
];

/** Files that list the forbidden words. */
const TABLES = ['CONTRIBUTING.md', 'tests/architecture/vocabulary.test.ts'];

const FOLDERS = ['src-main', 'src-preload', 'tests', 'scripts', 'bench', 'resources'];

interface Text {
  readonly file: string;
  readonly text: string;
}

/** Words of a name in camelCase, snake_case or kebab-case. */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_#.-]/g, ' ');
}

/** Readable parts of a source file: names, comments, and titles of tests. */
function readable(file: ts.SourceFile): string[] {
  const found: string[] = [];
  const comments = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(file.text, node.pos) ?? []) {
      if (comments.has(pos)) continue;
      comments.add(pos);
      found.push(file.text.slice(pos, end));
    }
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) found.push(wordsOf(node.text));
    if (ts.isCallExpression(node) && /^(it|test|describe)\b/.test(node.expression.getText(file))) {
      const title = node.arguments[0];
      if (title && ts.isStringLiteralLike(title)) found.push(title.text);
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return found;
}

/** Names that a source file declares. */
function declaredNames(file: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { readonly name?: ts.Node };
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && !ts.isPropertyAccessExpression(node))
      found.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.map(wordsOf);
}

/** Complete names of functions, methods, types and classes that a source file declares. */
function declaredTypes(file: ts.SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isFunctionDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) ||
        ts.isMethodDeclaration(node)) &&
      node.name
    )
      names.push(node.name.getText(file).replace('#', ''));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Texts that contain a forbidden word. */
function wrongWords(texts: readonly Text[], terms = TERMS): string[] {
  return texts.flatMap(({ file, text }) =>
    terms.flatMap(([word, instead]) => {
      const found = word.exec(text)?.[0];
      if (found === undefined) return [];
      if (ALLOWED.some((exception) => exception.file === file && exception.word === found.toLowerCase())) return [];
      const start = Math.max(0, text.indexOf(found) - 30);
      return [`${file}: "…${text.slice(start, start + 80).replaceAll('\n', ' ')}…" says "${found}": ${instead}`];
    }),
  );
}

const sources = FOLDERS.flatMap((folder) => filesUnder(folder, /\.(ts|js)$/)).filter(
  (file) => !isGenerated(file) && !TABLES.includes(file),
);
const pages = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...['docs', ...FOLDERS].flatMap((folder) => filesUnder(folder, /\.md$/)),
].filter((file) => !TABLES.includes(file));

describe('the words', () => {
  it('of names, comments and test titles are terms of the field', () => {
    // Only files that contain a forbidden word are parsed.
    const suspects = sources.filter((file) => TERMS.some(([word]) => word.test(wordsOf(textOf(file)))));
    const texts = suspects.flatMap((file) => readable(parse(file)).map((text) => ({ file, text })));
    expect(wrongWords(texts).join('\n')).toBe('');
  });

  it('of declared names are terms of the field, also in the desk', () => {
    const files = [...sources, ...filesUnder('src-renderer', /\.(ts|vue)$/)];
    const suspects = files.filter((file) => NAME_TERMS.some(([word]) => word.test(wordsOf(textOf(file)))));
    const names = suspects.flatMap((file) => declaredNames(parse(file)).map((text) => ({ file, text })));
    expect(wrongWords(names, NAME_TERMS).join('\n')).toBe('');
  });

  it('that are complete names of functions and types are descriptive', () => {
    const words = COMPLETE_NAMES.map(([word]) => word);
    const isSuspect = (text: string): boolean =>
      text.split(/\W+/).some((name) => words.some((word) => word.test(name)));
    const suspects = sources.filter((file) => isSuspect(textOf(file)));
    const names = suspects.flatMap((file) => declaredTypes(parse(file)).map((text) => ({ file, text })));
    expect(wrongWords(names, COMPLETE_NAMES).join('\n')).toBe('');
  });

  it('of file names are terms of the field', () => {
    expect(wrongWords([...sources, ...pages].map((file) => ({ file, text: wordsOf(file) }))).join('\n')).toBe('');
  });

  it('of pages are terms of the field', () => {
    const lines = pages.flatMap((file) =>
      textOf(file)
        .split('\n')
        .map((text) => ({ file, text })),
    );
    expect(wrongWords(lines).join('\n')).toBe('');
  });

  it('are found in names, comments and titles, and not in other texts', () => {
    const text = "// What he said.\nfunction tellHouse() { return 'nobody'; }\nit('opens the door', () => {});";
    const file = ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true);
    const found = wrongWords(readable(file).map((line) => ({ file: 'sample.ts', text: line })));
    expect(found.map((line) => / says "(\w+)"/.exec(line)?.[1])).toEqual(['he', 'tell', 'House', 'door']);
    expect(wrongWords([{ file: 'a.ts', text: 'HE-AAC of a lifetime, one replaced placeholder' }])).toEqual([]);
  });
});
