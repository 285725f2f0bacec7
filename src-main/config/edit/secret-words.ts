import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { printOptionValue, printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import type { BlockName } from '../schema/directive.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import type { ConfigDocument } from '../document.ts';
import { fieldTokens } from '../parse/read-record.ts';
import { isSecretKey, MASK, masked } from '../schema/secrets.ts';
import { applyChanges, type TextChange } from './text-change.ts';

/** Word of a text that is, or contains, a secret. */
export interface SecretWord {
  /** Place in its statement: the index of an argument, or the name of an option. */
  readonly place: string;
  readonly value: string;
  /** As written in the text. */
  readonly written: string;
  readonly shown: string;
  readonly from: number;
  readonly to: number;
  readonly isOption: boolean;
}

/** Text in which a mask replaces each secret. Runs in steps. */
export function* maskText(document: ConfigDocument): Generator<void, string> {
  const parts: string[] = [];
  for (const part of maskedTexts(document)) {
    parts.push(part);
    yield;
  }
  return parts.join('');
}

/**
 * Masked text in short pieces. Without text blocks the syntax is wrong, so secrets cannot be located, and the result is empty.
 */
export function* maskedTexts({ textBlocks = [] }: ConfigDocument): Generator<string, void> {
  for (const textBlock of textBlocks) {
    const changes: TextChange[] = [];
    for (const { from, to, shown, isOption } of secretWords(textBlock.text, textBlock.directives, 'file'))
      changes.push({ from, to, insert: isOption ? printOptionValue(shown) : printWord(shown) });
    yield changes.length > 0 ? applyChanges(textBlock.text, changes) : textBlock.text;
  }
}

function* secretWords(
  text: string,
  directives: readonly ConfigDirective[],
  block: BlockName | undefined,
): Generator<SecretWord> {
  for (const directive of directives) {
    const known = block && DIRECTIVES[block].get(directive.name);
    yield* wordsWithin(text, directive, known);
    if (directive.block) yield* secretWords(text, directive.block, blockOf(known));
  }
}

/** Secrets and masks of a statement, without those of its block. */
export function* wordsWithin(
  text: string,
  directive: ConfigDirective,
  known: KnownDirective | undefined,
): Generator<SecretWord> {
  const isSecret = known?.kind === 'setting' ? known.entry.isSecret === true : isSecretKey(directive.name);
  const fields = known?.kind === 'setting' ? known.entry.fields : undefined;
  const fieldAt = new Map(
    fields ? fieldTokens(directive, fields).tokens.map(({ field, from }) => [from, field] as const) : [],
  );
  const offWord = known?.kind === 'setting' ? known.entry.offWord : undefined;
  for (const [index, { value, from, to }] of directive.args.entries()) {
    if (value === offWord) continue;
    const field = fieldAt.get(from);
    const shown = masked(value, isSecret || field?.isSecret === true, field?.mask);
    if (shown !== value || value.includes(MASK))
      yield { place: String(index), value, written: text.slice(from, to), shown, from, to, isOption: false };
  }
  for (const { key: name, value, from, valueFrom, to } of directive.options) {
    // A word that looks like an option may be a secret.
    const isWord = isSecret || fieldAt.get(from)?.isSecret === true;
    const shown = isWord ? MASK : masked(value, isSecretKey(name));
    if (isWord)
      yield {
        place: '0',
        value: `${name}=${value}`,
        written: text.slice(from, to),
        shown,
        from,
        to,
        isOption: false,
      };
    else if (shown !== value || value.includes(MASK))
      yield {
        place: name,
        value,
        written: text.slice(valueFrom, to),
        shown,
        from: valueFrom,
        to,
        isOption: true,
      };
  }
}

/** Name of the table of a statement's block. */
export function blockOf(known: KnownDirective | undefined): BlockName | undefined {
  if (known?.kind === 'stream-block') return known.entry.directive;
  return known?.kind === 'setting' ? known.entry.block : undefined;
}
