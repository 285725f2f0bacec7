import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src-preload/contract/errors.ts';
import { filesUnder, isTest, parse, textOf } from './source-files.ts';

interface Row {
  readonly code: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** Rows of docs/reference/errors.md: code, meaning, remedy. */
const ROWS: readonly Row[] = textOf('docs/reference/errors.md')
  .split('\n')
  .map((line) => /^\|\s*`([a-z0-9_]+)`\s*\|([^|]*)\|([^|]*)\|\s*$/.exec(line))
  .filter((match) => match !== null)
  .map((match) => ({ code: match[1]!, meaning: match[2]!.trim(), remedy: match[3]!.trim() }));

/** Calls with a code as first argument. */
const TAKES_CODE = /^(AirdeskError|problem|.*Problem|fail|failed|reject|refuse|raise)$/;

/** Codes that a file contains as literals: `code: '…'`, and the first argument of reporting calls. */
function codesIn(file: ts.SourceFile): string[] {
  const codes: string[] = [];
  const literals = (node: ts.Expression): void => {
    // `custom` is a code of the schema library.
    if (ts.isStringLiteral(node) && node.text !== 'custom' && /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(node.text))
      codes.push(node.text);
    if (ts.isConditionalExpression(node)) {
      literals(node.whenTrue);
      literals(node.whenFalse);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'code')
      literals(node.initializer);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const callee = node.expression;
      const name = ts.isPropertyAccessExpression(callee)
        ? callee.name.text
        : ts.isIdentifier(callee)
          ? callee.text
          : '';
      const first = node.arguments?.[0];
      if (first && TAKES_CODE.test(name.replace(/^#/, '')) && (!ts.isStringLiteral(first) || first.text.includes('_')))
        literals(first);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return codes;
}

describe('the error catalogue', () => {
  it('corresponds to docs/reference/errors.md, code by code', () => {
    const described = ROWS.map((row) => row.code);
    const codes = Object.keys(ERRORS);
    expect({
      missing: codes.filter((code) => !described.includes(code)),
      surplus: described.filter((code) => !codes.includes(code)),
    }).toEqual({
      missing: [],
      surplus: [],
    });
    expect(new Set(described).size).toBe(described.length);
  });

  it('has a meaning and a remedy for each code', () => {
    expect(ROWS.filter((row) => row.meaning.length < 10 || row.remedy.length < 10)).toEqual([]);
  });

  it('has a title and a status for each code: of an error (400 to 599), or 200 for a warning', () => {
    const odd = Object.entries(ERRORS).filter(
      ([, entry]) => (entry.status !== 200 && (entry.status < 400 || entry.status > 599)) || entry.title.length < 8,
    );
    expect(odd).toEqual([]);
  });

  it('contains every code that the server uses', () => {
    const unknown = filesUnder('src-main', /\.ts$/)
      .filter((file) => !isTest(file))
      .flatMap((file) => codesIn(parse(file)).map((code) => ({ file, code })))
      .filter(({ code }) => !Object.hasOwn(ERRORS, code));
    expect(unknown).toEqual([]);
  });

  it('is compared with codes in literals, conditional expressions and calls', () => {
    const text =
      "x({ code: 'a_b' }); y({ code: z ? 'c' : 'd_e' }); new AirdeskError('f_g'); sink.problem('h_i', 1); log('j_k');";
    const file = ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true);
    expect(codesIn(file)).toEqual(['a_b', 'c', 'd_e', 'f_g', 'h_i']);
  });
});
