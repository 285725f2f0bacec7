import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { insertIntoBlock } from './directive-edit.ts';
import type { BlockName } from '../schema/directive.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import type { Draft, StatementRef } from './draft.ts';
import { indentAt, lineEnd, removal, type TextChange } from './text-change.ts';

/** The statements of one level of a text that is being edited: the top level, or a block. */
export interface Scope {
  readonly block: BlockName;
  /** The statements that mean a directive, in order; good until the next change. */
  statements(known: KnownDirective): readonly StatementRef[];
  change(statement: StatementRef, changes: readonly TextChange[]): void;
  remove(statement: StatementRef): void;
  /** Adds a statement behind another one, or where such statements belong. */
  insert(statement: string, after?: StatementRef): void;
}

/** The top level of a text. */
export function topScope(draft: Draft): Scope {
  return {
    block: 'file',
    statements: (known) => draft.all(known),
    change: (statement, changes) => draft.change(statement.piece, changes),
    remove: (statement) => removeStatement(draft, statement),
    insert(statement, after) {
      const neighbour =
        after ??
        draft.last(
          (directive) => directive.block === undefined && DIRECTIVES.file.get(directive.name)?.kind === 'setting',
        );
      if (neighbour) draft.change(neighbour.piece, [behindStatement(neighbour, statement, draft.lineBreak)]);
      else draft.append(statement);
    },
  };
}

/** A block of the top level. @param find its statement as it stands at the moment */
export function blockScope(draft: Draft, block: BlockName, find: () => StatementRef | undefined): Scope {
  return {
    block,
    statements(known) {
      const owner = find();
      const inner = owner?.directive.block ?? [];
      return owner
        ? inner
            .filter(({ name }) => DIRECTIVES[block].get(name) === known)
            .map((directive) => ({ ...owner, directive }))
        : [];
    },
    change: (statement, changes) => draft.change(statement.piece, changes),
    remove: (statement) => removeStatement(draft, statement),
    insert(statement, after) {
      const owner = find();
      if (!owner) return;
      const neighbour = after && owner.directive.block?.find(({ from }) => from === after.directive.from);
      draft.change(owner.piece, [insertIntoBlock(owner.text, owner.directive, statement, neighbour, draft.indent)]);
    },
  };
}

function removeStatement(draft: Draft, { piece, text, directive }: StatementRef): void {
  draft.change(piece, [removal(text, directive.from, directive.to)]);
}

function behindStatement({ text, directive }: StatementRef, statement: string, lineBreak: string): TextChange {
  const end = lineEnd(text, directive.to);
  if (!hasFollower(text, directive, end))
    return { from: end, to: end, insert: `${lineBreak}${indentAt(text, directive.from)}${statement}` };
  return { from: directive.to, to: directive.to, insert: ` ${statement}` };
}

function hasFollower(text: string, { to }: ConfigDirective, end: number): boolean {
  return !/^[\s;]*(#.*)?$/.test(text.slice(to, end));
}
