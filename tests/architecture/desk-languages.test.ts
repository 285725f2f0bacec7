import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse as parseComponent } from 'vue/compiler-sfc';
import { filesUnder, isTest, textOf } from './source-files.ts';

/** Attributes of elements and components whose text an operator reads or hears. */
const READ = new Set(['title', 'label', 'placeholder', 'alt', 'hint', 'aria-label', 'aria-description']);
/** Texts that are the same in all languages: names of products and formats, and literal input. */
const NAMES =
  /^(Airdesk|CSV|JSON|JSON Lines|MP4|MPEG-TS|SHA-256|QR|service\.json|operationId:|subscriberId:|packageId:|ms|cam1|summer|https:.*|npm run .*|-c:v .*|(edit|view)_auth .*|stream retry)$/;
/** Style files, whose strings are not texts. */
const STYLES = /\/(theme|theme-overrides|timeline-drawing)\.ts$/;
/** Two words or more: possibly readable text. */
const WORDS = /[A-Za-z]{2,} [A-Za-z]{2,}/;

interface TemplateNode {
  readonly type: number;
  readonly content?: unknown;
  readonly loc: { readonly source: string };
  readonly children?: readonly TemplateNode[];
  readonly props?: readonly {
    readonly type: number;
    readonly name: string;
    readonly value?: { readonly content: string };
    readonly exp?: { readonly loc: { readonly source: string } };
  }[];
}

const [ELEMENT, TEXT, INTERPOLATION, ATTRIBUTE] = [1, 2, 5, 6];

/** Literal text of a template. */
function wordsOfTemplate(node: TemplateNode): string[] {
  const texts: string[] = [];
  if (node.type === TEXT) texts.push(...node.loc.source.trim().split(/\s{2,}|\n/));
  if (node.type === INTERPOLATION) texts.push(...literalsOf(node.loc.source));
  for (const { type, name, value, exp } of node.type === ELEMENT ? (node.props ?? []) : []) {
    if (type === ATTRIBUTE && READ.has(name) && value) texts.push(value.content);
    if (type !== ATTRIBUTE && exp) texts.push(...literalsOf(exp.loc.source));
  }
  return [
    ...texts.filter((text) => /[A-Za-z]{2}/.test(text.replace(/&[a-z]+;/g, '')) && !NAMES.test(text.trim())),
    ...(node.children ?? []).flatMap(wordsOfTemplate),
  ];
}

/** Possibly readable texts in an expression. */
function literalsOf(source: string): string[] {
  return [...source.matchAll(/'([^']*)'|`([^`]*)`/g)]
    .map(([, one = '', two = '']) => (one || two).replace(/\$\{[^}]*\}/g, '').trim())
    .filter((text) => WORDS.test(text) || /^[A-Z][a-z]+$/.test(text));
}

/** Possibly readable texts of a script: sentences, and words that start with a capital. */
function wordsOfScript(name: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isThrowStatement(node)) return;
    if (
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      if (
        !NAMES.test(node.text.trim()) &&
        /[A-Z][a-z]+.* [a-z]{2,}|[a-z]{2,} [a-z]{2,}/.test(node.text) &&
        !NAMES.test(node.text.trim())
      )
        found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return found;
}

/** Texts that are read once when the file or the component starts, and so keep the language of that time. */
function readOnce(name: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (
      (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
      /^[A-Z_]*(TEXTS|WORDS|KEYS|SEVERITY|PLACEMENTS)$/.test(node.expression.getText())
    )
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return found;
}

const files = filesUnder('src-renderer', /\.(ts|vue)$/).filter(
  (file) => !isTest(file) && !/texts(-de)?\.ts$/.test(file) && !STYLES.test(file),
);

function partsOf(file: string): { readonly script: string; readonly template: TemplateNode | undefined } {
  const source = textOf(file);
  if (!file.endsWith('.vue')) return { script: source, template: undefined };
  const { descriptor } = parseComponent(source, { filename: file, sourceMap: false });
  return {
    script: descriptor.scriptSetup?.content ?? '',
    template: descriptor.template?.ast as TemplateNode | undefined,
  };
}

describe('the languages of the desk', () => {
  it('keep all readable texts in text files', () => {
    const found = files.flatMap((file) => {
      const { script, template } = partsOf(file);
      const words = [...(template?.children ?? []).flatMap(wordsOfTemplate), ...wordsOfScript(file, script)];
      return words.map((text) => `${file}: ${text}`);
    });
    expect(found).toEqual([]);
  });

  it('have a unique name for each group of texts', () => {
    const names = filesUnder('src-renderer', /texts\.ts$/).flatMap((file) =>
      [...textOf(file).matchAll(/translated\(\s*'([^']+)'/g)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(20);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('can change while the desk is open', () => {
    const found = files.flatMap((file) => readOnce(file, partsOf(file).script).map((text) => `${file}: ${text}`));
    expect(found).toEqual([]);
  });
});
