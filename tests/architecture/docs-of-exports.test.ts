import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesUnder, isGenerated, isTest, parse } from './source-files.ts';

/** Exports of a file that need a doc comment and have none. Only statements that `needsDoc` accepts need one. */
function undocumented(file: ts.SourceFile, needsDoc: (statement: ts.Statement) => boolean = () => true): string[] {
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
    if (!isExported || !needsDoc(statement)) continue;
    // Overloads share the comment of the first one, constants in one block share the comment of the block, and the
    // inferred type of a schema shares the comment of the schema.
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

/** Whether a statement declares an interface that the consumer implements (a port), by the name. */
function isPort(statement: ts.Statement): boolean {
  return ts.isInterfaceDeclaration(statement) && /Ports?$/.test(statement.name.text);
}

/** Whether the exports of a statement need a doc comment, by the folder of the file. */
function isBoundary(path: string, statement: ts.Statement): boolean {
  if (/^src-(preload\/contract|main\/compose)\//.test(path)) return true;
  if (path.startsWith('src-main/media/') && ts.isVariableStatement(statement)) return true;
  return isPort(statement);
}

const parseText = (text: string): ts.SourceFile => ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);

describe('doc comments of exports', () => {
  it('are reported if missing', () => {
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
    expect(undocumented(parseText(text))).toEqual(['b', 'c', 'E']);
  });

  it('are required for contracts, compositions, ports and media constants only', () => {
    const file = parseText('export const A = 1;\n\nexport interface APort {}\nexport function read() {}');
    const missing = (path: string): string[] => undocumented(file, (statement) => isBoundary(path, statement));
    expect(missing('src-preload/contract/a.ts')).toEqual(['A', 'APort', 'read']);
    expect(missing('src-main/compose/a.ts')).toEqual(['A', 'APort', 'read']);
    expect(missing('src-main/media/a.ts')).toEqual(['A', 'APort']);
    expect(missing('src-main/lib/a.ts')).toEqual(['APort']);
  });

  it('exist for contracts, compositions, ports and media constants', () => {
    const files = ['src-main', 'src-preload/contract']
      .flatMap((folder) => filesUnder(folder, /\.ts$/))
      .filter((file) => !isTest(file) && !isGenerated(file));
    expect(files.length).toBeGreaterThan(5);
    const missing = files.flatMap((path) =>
      undocumented(parse(path), (statement) => isBoundary(path, statement)).map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
