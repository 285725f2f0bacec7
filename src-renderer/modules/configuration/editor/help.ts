import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { hoverTooltip, type Tooltip } from '@codemirror/view';
import type { DirectiveHelp } from '../../../../src-preload/contract/config-language/directive-help.ts';
import type { BlockHelp } from '../../../domain/settings/setting-blocks.ts';
import { namedBlocks, statementAt } from './statement-at.ts';
import { TEXTS, unitLabel } from './texts.ts';
import { docText } from './doc-text.ts';

/** Directives whose arguments are names of blocks in the text: kind of the block, and prefix of its name. */
const NAMES: Readonly<Record<string, { readonly kind: string; readonly prefix: string }>> = {
  template: { kind: 'template', prefix: '' },
  dvr: { kind: 'dvr', prefix: '@' },
  dvr_offline: { kind: 'dvr', prefix: '@' },
  path: { kind: 'vod', prefix: '' },
};
/** Schemes of addresses that name a block, and the kind of the block. */
const SCHEMES: Readonly<Record<string, string>> = {
  'copy://': 'stream',
  'stream://': 'stream',
  'auth://': 'auth_backend',
};

/** Help for a directive in a block. */
function helpOn(
  help: BlockHelp,
  blocks: readonly { readonly kind: string }[],
  name: string,
): DirectiveHelp | undefined {
  return helpOfBlock(help, blocks).find((known) => known.name === name || known.aliases.includes(name));
}

function helpOfBlock(help: BlockHelp, blocks: readonly { readonly kind: string }[]): readonly DirectiveHelp[] {
  let known = help['file'] ?? [];
  for (const { kind } of blocks) {
    const block = known.find(({ name, aliases }) => name === kind || aliases.includes(kind))?.block;
    known = (block === null || block === undefined ? undefined : help[block]) ?? [];
  }
  return known;
}

/** Completes directives, options, values and stream names. */
export function completions(help: () => BlockHelp): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    if (syntaxTree(context.state).resolveInner(context.pos, -1).name === 'Comment') return null;
    const word = context.matchBefore(/[^\s;{}"=]*/);
    const from = word?.from ?? context.pos;
    const before = context.state.sliceDoc(Math.max(0, from - 1), from);
    if (!context.explicit && from === context.pos && before !== '=') return null;
    const { blocks, directive, option } = statementAt(context.state, from);
    const known = helpOfBlock(help(), blocks);
    const statement =
      directive === undefined
        ? undefined
        : known.find(({ name, aliases }) => name === directive || aliases.includes(directive));
    const options =
      directive === undefined
        ? known.map(directiveCompletion)
        : valuesOf(context.state, statement, option, word?.text ?? '');
    return options.length > 0 ? { from, options, validFor: /^[^\s;{}"=]*$/ } : null;
  };
}

function directiveCompletion(help: DirectiveHelp): Completion {
  const { name, usage, form, is_reserved: isReserved, block } = help;
  const isBlock = form === 'block' && block !== null;
  return {
    label: name,
    detail: usage.slice(name.length).trim(),
    info: docText(help),
    type: isBlock ? 'class' : 'property',
    apply: isBlock || form === 'flag' ? name : `${name} `,
    boost: isReserved ? -50 : 0,
  };
}

function valuesOf(
  state: EditorState,
  statement: DirectiveHelp | undefined,
  option: string | undefined,
  word: string,
): Completion[] {
  const names = (kind: string, prefix: string): Completion[] =>
    namedBlocks(state).flatMap((block) =>
      block.kind === kind ? [{ label: `${prefix}${block.name}`, type: 'variable' }] : [],
    );
  const scheme = /^[a-z]+:\/\//.exec(word)?.[0] ?? '';
  const named = SCHEMES[scheme];
  if (named !== undefined) return names(named, scheme);
  if (!statement) return [];
  if (option !== undefined)
    return choiceCompletions(statement.options.find(({ name }) => name === option)?.choices ?? []);
  const block = NAMES[statement.name];
  return [
    ...choiceCompletions(statement.choices),
    ...(block === undefined ? [] : names(block.kind, block.prefix)),
    ...statement.options.map(({ name }) => ({ label: name, apply: `${name}=`, type: 'keyword' })),
  ];
}

function choiceCompletions(choices: readonly string[]): Completion[] {
  return choices.map((label) => ({ label, type: 'enum' }));
}

/** Tooltip with the description of the directive under the pointer. */
export function hoverHelp(help: () => BlockHelp): ReturnType<typeof hoverTooltip> {
  return hoverTooltip((view, at): Tooltip | null => {
    const word = view.state.wordAt(at);
    if (!word) return null;
    const line = view.state.doc.lineAt(at);
    const from = line.from + line.text.slice(0, at - line.from).search(/[^\s;{}]*$/);
    const name = /^[^\s;{}]+/.exec(line.text.slice(from - line.from))?.[0];
    const { blocks, directive } = statementAt(view.state, from);
    const known = name === undefined || directive !== undefined ? undefined : helpOn(help(), blocks, name);
    if (!known || name === undefined) return null;
    return { pos: from, end: from + name.length, above: true, create: () => ({ dom: helpElement(known) }) };
  });
}

function helpElement(help: DirectiveHelp): HTMLElement {
  const { usage, unit, default: fallback, restarts, is_reserved: isReserved } = help;
  const facts = [
    unit === null ? '' : TEXTS.unitOf(unitLabel(unit)),
    fallback === null ? '' : TEXTS.defaultOf(fallback),
    isReserved ? TEXTS.hasNoEffect : restarts ? TEXTS.doesRestart : TEXTS.doesNotRestart,
  ].filter((fact) => fact !== '');
  const element = document.createElement('div');
  element.className = 'config-help';
  for (const [tag, text] of [
    ['code', usage],
    ['p', docText(help)],
    ['p', `${facts.join('. ')}.`],
  ] as const) {
    const part = element.appendChild(document.createElement(tag));
    part.textContent = text;
  }
  return element;
}
