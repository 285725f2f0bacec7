import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesUnder, isGenerated, parse, textOf } from './source-files.ts';

/** Folders whose comments are checked. A folder is added when its comments follow the rule. */
const CLEANED: readonly string[] = [
  'bench',
  'scripts',
  'src-main/ads',
  'src-main/api',
  'src-main/clips',
  'src-main/codec',
  'src-main/compose',
  'src-main/config',
  'src-main/configuration',
  'src-main/control',
  'src-main/db',
  'src-main/delivery',
  'src-main/desktop',
  'src-main/dvr',
  'src-main/engine',
  'src-main/events',
  'src-main/export',
  'src-main/host',
  'src-main/ingest',
  'src-main/lib',
  'src-main/media',
  'src-main/monitor',
  'src-main/operators',
  'src-main/packaging',
  'src-main/segment',
  'src-main/sessions',
  'src-main/stream',
  'src-main/streams',
  'src-main/subscribers',
  'src-main/vod',
  'src-preload',
  'src-renderer',
  'tests',
];

/** First words of a doc comment that start a relative clause instead of a noun. */
const RELATIVE_CLAUSE = /^(What|How|Where|Which|Who|Whom|Whose|Those|That which)\b/;

/** First line of each doc comment (`/** … *\/`) of a file. */
function docsOf(file: ts.SourceFile): string[] {
  const docs = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(file.text, node.pos) ?? []) {
      const comment = file.text.slice(pos, end);
      if (comment.startsWith('/**')) docs.set(pos, comment.replace(/^\/\*\*[\s*]*/, '').split('\n')[0] ?? '');
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return [...docs.values()];
}

function hidesNoun(doc: string): boolean {
  return RELATIVE_CLAUSE.test(doc);
}

/** `@param` tags of a file without a parameter of that name. A destructured parameter may have any name. */
function strayParameters(file: ts.SourceFile): string[] {
  const stray: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.parameters.every(({ name }) => ts.isIdentifier(name))) {
      const names = new Set(node.parameters.map(({ name }) => name.getText(file).replace(/^_/, '')));
      for (const tag of ts.getJSDocTags(node))
        if (ts.isJSDocParameterTag(tag) && !names.has(tag.name.getText(file))) stray.push(tag.name.getText(file));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return stray;
}

describe('doc comments', () => {
  it('are found before statements and members', () => {
    const text =
      '/** What runs. */\nconst a = 1;\n// What is no doc.\ninterface B {\n  /**\n   * How many.\n   */\n  c: number;\n}';
    const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
    expect(docsOf(file)).toEqual(['What runs. */', 'How many.']);
    expect(docsOf(file).every(hidesNoun)).toBe(true);
    expect(hidesNoun('Number of runs.')).toBe(false);
  });

  it.each(CLEANED)('of %s begin with a noun or a verb', (folder) => {
    const files = filesUnder(folder, /\.(ts|vue)$/).filter((file) => !isGenerated(file));
    expect(files.length).toBeGreaterThan(0);
    const bad = files.flatMap((file) =>
      docsOf(parse(file))
        .filter(hidesNoun)
        .map((doc) => `${file}: ${doc}`),
    );
    expect(bad.join('\n')).toBe('');
  });

  it('describe only existing parameters', () => {
    const sample = '/** @param a is here @param b is not */\nfunction f(a: number): void {}';
    expect(strayParameters(ts.createSourceFile('a.ts', sample, ts.ScriptTarget.Latest, true))).toEqual(['b']);
    const files = CLEANED.flatMap((folder) => filesUnder(folder, /\.ts$/)).filter(
      (file) => !isGenerated(file) && textOf(file).includes('@param'),
    );
    const stray = files.flatMap((file) => strayParameters(parse(file)).map((name) => `${file}: ${name}`));
    expect(stray.join('\n')).toBe('');
  });
});
