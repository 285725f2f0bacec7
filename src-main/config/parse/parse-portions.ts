import { LineTable, type TextPosition } from '../../../src-preload/contract/config-language/lines.ts';
import {
  MAX_DEPTH,
  parseConfigTextInSteps,
  type ParsedText,
} from '../../../src-preload/contract/config-language/parse.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { PORTION_CHARS, portionsOf, type Portion } from './split-text.ts';

/** Statements of a text, without the syntax tree. */
export type ParsedStatements = Omit<ParsedText, 'tree'>;

/**
 * Parses a text like `parseConfigTextInSteps`, in steps that do not depend on the length of blocks. The grammar builds its tree
 * at once, so a long text is cut between statements, and long blocks are cut inside. A text that cannot be cut, or has syntax
 * errors, is parsed in one piece.
 * @param firstLine number of the first line in messages
 */
export function* parseInPortions(text: string, firstLine = 1): Generator<void, ParsedStatements> {
  if (text.length > 2 * PORTION_CHARS) {
    const lines = new LineTable(text);
    yield;
    const portions = yield* portionsOf(text);
    const directives = portions && (yield* parseEach(text, lines, portions, 0));
    if (directives) return { text, lines, directives, problems: [] };
  }
  return yield* parseConfigTextInSteps(text, firstLine);
}

/** Statements of portions; undefined if there are mistakes. */
function* parseEach(
  text: string,
  lines: LineTable,
  portions: readonly Portion[],
  depth: number,
): Generator<void, ConfigDirective[] | undefined> {
  const directives: ConfigDirective[] = [];
  for (const { from, to, block } of portions) {
    yield;
    const { directives: some, problems } = yield* parseConfigTextInSteps(
      block ? `${text.slice(from, block.from)}{}` : text.slice(from, to),
    );
    if (problems.length > 0 || depth + depthOf(some) > MAX_DEPTH) return undefined;
    if (!block) for (const directive of some) directives.push(moved(directive, from, lines));
    else {
      const [head, more] = some;
      const inner = yield* parseEach(text, lines, block.portions, depth + 1);
      if (!head?.block || more || !inner) return undefined;
      directives.push({ ...moved(head, from, lines), block: inner, blockTo: to, to });
    }
  }
  return directives;
}

function depthOf(directives: readonly ConfigDirective[]): number {
  let depth = 0;
  for (const { block } of directives) if (block) depth = Math.max(depth, 1 + depthOf(block));
  return depth;
}

/** Statement of a range with the positions that it has in the complete text. */
function moved(directive: ConfigDirective, offset: number, lines: LineTable): ConfigDirective {
  return movedDirective(directive, offset, ({ from }) => lines.positionAt(from + offset));
}

/** Statement at another offset. @param positionOf its position there */
export function movedDirective(
  directive: ConfigDirective,
  offset: number,
  positionOf: (directive: ConfigDirective) => TextPosition,
): ConfigDirective {
  const move = <T extends { readonly from: number; readonly to: number }>(part: T): T => ({
    ...part,
    from: part.from + offset,
    to: part.to + offset,
  });
  return {
    ...move(directive),
    ...positionOf(directive),
    nameTo: directive.nameTo + offset,
    args: directive.args.map(move),
    options: directive.options.map((option) => ({ ...move(option), valueFrom: option.valueFrom + offset })),
    block: directive.block?.map((one) => movedDirective(one, offset, positionOf)),
    ...(directive.block ? { blockFrom: directive.blockFrom + offset, blockTo: directive.blockTo + offset } : {}),
  };
}
