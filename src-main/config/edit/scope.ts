import type { BlockName } from '../schema/directive.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import type { Draft, NewBlock, StatementRef } from './draft.ts';
import type { TextChange } from './text-change.ts';

/** Statements of one level of a text during editing: the top level, or a block. */
export interface Scope {
  readonly block: BlockName;
  /** Statements of a directive in order, as they were before the edits. */
  statements(known: KnownDirective): readonly StatementRef[];
  change(statement: StatementRef, changes: readonly TextChange[]): void;
  remove(statement: StatementRef): void;
  /** Adds a statement after another one, or at the default position. */
  insert(statement: string, after?: StatementRef): void;
}

/** Top level of a text. */
export function topScope(draft: Draft): Scope {
  return {
    block: 'file',
    statements: (known) => draft.all(known),
    change: (statement, changes) => draft.change(statement, changes),
    remove: (statement) => draft.remove(statement),
    insert: (statement, after) => draft.insert(statement, after),
  };
}

/** Top-level block. */
export function blockScope(draft: Draft, block: BlockName, owner: StatementRef): Scope {
  const statements = byMeaning(block, owner);
  return {
    block,
    statements: (known) => statements.get(known) ?? [],
    change: (statement, changes) => draft.change(statement, changes),
    remove: (statement) => draft.remove(statement),
    insert: (statement, after) => draft.insertInto(owner, statement, after?.directive),
  };
}

/** Block that is being added, which has no statements to change. */
export function newBlockScope(block: BlockName, { statements }: NewBlock): Scope {
  return {
    block,
    statements: () => [],
    change: () => undefined,
    remove: () => undefined,
    insert: (statement) => statements.push(statement),
  };
}

function byMeaning(block: BlockName, { piece, text, directive }: StatementRef): Map<KnownDirective, StatementRef[]> {
  const found = new Map<KnownDirective, StatementRef[]>();
  for (const inner of directive.block ?? [])
    add(found, DIRECTIVES[block].get(inner.name), { piece, text, directive: inner });
  return found;
}

function add(
  found: Map<KnownDirective, StatementRef[]>,
  known: KnownDirective | undefined,
  statement: StatementRef,
): void {
  const same = known && found.get(known);
  if (same) same.push(statement);
  else if (known) found.set(known, [statement]);
}
