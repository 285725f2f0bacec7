import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesUnder, isGenerated, isTest, parse } from './source-files.ts';

/** Exported things of a file that have no doc comment. */
function undocumented(file: ts.SourceFile): string[] {
  const documented = new Set<string>();
  const missing: string[] = [];
  let wasDocumentedConstant = false;
  for (const statement of file.statements) {
    const continuesBlock: boolean = wasDocumentedConstant && isConstantWithoutGap(statement, file);
    wasDocumentedConstant = continuesBlock || (ts.isVariableStatement(statement) && hasDoc(statement, file));
    const names = namesOf(statement);
    if (hasDoc(statement, file) || continuesBlock) names.forEach((name) => documented.add(name));
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) continue;
    // Overloads share the comment of the first, constants that stand without a gap that of the block, and the inferred
    // type of a schema that of the schema.
    if (!names.every((name) => documented.has(name)) && !documented.has(schemaOf(statement))) missing.push(...names);
  }
  return missing;
}

function hasDoc(statement: ts.Statement, file: ts.SourceFile): boolean {
  const ranges = ts.getLeadingCommentRanges(file.text, statement.getFullStart()) ?? [];
  const last = ranges.at(-1);
  if (!last) return false;
  const comment = file.text.slice(last.pos, last.end);
  return comment.startsWith('/**') && /[A-Za-z]{2}/.test(comment);
}

function isConstantWithoutGap(statement: ts.Statement, file: ts.SourceFile): boolean {
  return (
    ts.isVariableStatement(statement) &&
    !/\n\s*\n/.test(file.text.slice(statement.getFullStart(), statement.getStart(file)))
  );
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((declaration) => declaration.name.getText());
  if (
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  ) {
    return [statement.name?.text ?? 'default'];
  }
  return [];
}

/** Name of the schema whose inferred type a statement exports, or ''. */
function schemaOf(statement: ts.Statement): string {
  return (ts.isTypeAliasDeclaration(statement) && /^z\.infer<typeof (\w+)>$/.exec(statement.type.getText())?.[1]) || '';
}

describe('docs of exports', () => {
  it('sees what has none', () => {
    const text = [
      '/** A thing. */ export const a = 1;',
      'export const a2 = 2;',
      '',
      'export const b = 2;',
      '// not a doc\nexport function c() {}',
      '/** A schema. */\nexport const dSchema = z.object({});\nexport type D = z.infer<typeof dSchema>;',
      'export type E = z.infer<typeof eSchema>;',
      'const hidden = 3;',
    ].join('\n');
    expect(undocumented(ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true))).toEqual(['b', 'c', 'E']);
  });

  it('are there for everything that the server and the contract export', () => {
    const files = [...filesUnder('src-main', /\.ts$/), ...filesUnder('src-preload', /\.ts$/)].filter(
      (file) => !isTest(file) && !isGenerated(file),
    );
    expect(files.length).toBeGreaterThan(5);
    expect(files.flatMap((file) => undocumented(parse(file)).map((name) => `${file}: ${name}`))).toEqual([]);
  });
});
