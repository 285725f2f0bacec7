import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { printOptionValue, printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import type { BlockName } from '../schema/directive.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import type { ConfigDocument } from '../document.ts';
import type { ConfigError } from '../parse/problem.ts';
import { fieldTokens } from '../parse/read-record.ts';
import { isSecretKey, MASK, masked } from '../schema/secrets.ts';
import { TextBlockOffsets } from '../parse/text-block.ts';
import { applyChanges, type TextChange } from './text-change.ts';

/** Word of a text that is, or contains, a secret. */
interface SecretWord {
  /** Identity of the word, independent of the text around it. The same word in another text has the same key. */
  readonly key: string;
  readonly value: string;
  /** As written in the text. */
  readonly written: string;
  readonly shown: string;
  readonly from: number;
  readonly to: number;
  readonly isOption: boolean;
}

export interface UnmaskedText {
  readonly text: string;
  /** Masks without a known secret. */
  readonly errors: readonly ConfigError[];
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
    for (const { from, to, shown, isOption } of secretWords(textBlock.text, textBlock.directives, 'file', ''))
      changes.push({ from, to, insert: isOption ? printOptionValue(shown) : printWord(shown) });
    yield changes.length > 0 ? applyChanges(textBlock.text, changes) : textBlock.text;
  }
}

/**
 * Restores the secrets of a text where its edited copy has masks, in steps.
 *
 * @param edited edited masked copy
 * @param current text with the secrets
 */
export function* unmaskTextInSteps(edited: ConfigDocument, current: ConfigDocument): Generator<void, UnmaskedText> {
  const { text, textBlocks } = edited;
  if (!textBlocks || !text.includes(MASK)) return { text, errors: [] };
  const known = new Map<string, SecretWord>();
  for (const textBlock of current.textBlocks ?? []) {
    for (const word of secretWords(textBlock.text, textBlock.directives, 'file', '')) known.set(word.key, word);
    yield;
  }
  const places = new TextBlockOffsets(textBlocks);
  const changes: TextChange[] = [];
  const errors: ConfigError[] = [];
  for (const [index, textBlock] of textBlocks.entries()) {
    yield;
    if (!textBlock.text.includes(MASK)) continue;
    const offset = places.offsetOf(index);
    for (const word of secretWords(textBlock.text, textBlock.directives, 'file', '')) {
      if (!word.value.includes(MASK)) continue;
      const from = word.from + offset;
      const original = known.get(word.key);
      if (original?.shown === word.value) changes.push({ from, to: word.to + offset, insert: original.written });
      else {
        const reason = because('mask_without_secret');
        errors.push({
          code: 'config_bad_value',
          message: reason.detail,
          explanation: reason.explanation,
          ...places.positionAt(from),
          path: [],
        });
      }
    }
  }
  return { text: changes.length > 0 ? applyChanges(text, changes) : text, errors };
}

function* secretWords(
  text: string,
  directives: readonly ConfigDirective[],
  block: BlockName | undefined,
  path: string,
): Generator<SecretWord> {
  const counts = new Map<string, number>();
  for (const directive of directives) {
    const known = block && DIRECTIVES[block].get(directive.name);
    const name = known?.entry.directive ?? directive.name;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const isNamed = known?.kind === 'stream-block' || (known?.kind === 'setting' && known.entry.repeat === 'keyed');
    const key = `${path}/${name} ${isNamed ? (directive.args[0]?.value ?? '') : count}`;
    yield* wordsWithin(text, directive, known, key);
    if (directive.block) yield* secretWords(text, directive.block, blockOf(known), key);
  }
}

function* wordsWithin(
  text: string,
  directive: ConfigDirective,
  known: KnownDirective | undefined,
  key: string,
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
    const shown = masked(value, isSecret || field?.isSecret === true);
    if (shown !== value || value.includes(MASK))
      yield { key: `${key} ${index}`, value, written: text.slice(from, to), shown, from, to, isOption: false };
  }
  for (const { key: name, value, from, valueFrom, to } of directive.options) {
    // A word that looks like an option may be a secret.
    const isWord = isSecret || fieldAt.get(from)?.isSecret === true;
    const shown = isWord ? MASK : masked(value, isSecretKey(name));
    if (isWord)
      yield {
        key: `${key} 0`,
        value: `${name}=${value}`,
        written: text.slice(from, to),
        shown,
        from,
        to,
        isOption: false,
      };
    else if (shown !== value || value.includes(MASK))
      yield {
        key: `${key} ${name}`,
        value,
        written: text.slice(valueFrom, to),
        shown,
        from: valueFrom,
        to,
        isOption: true,
      };
  }
}

function blockOf(known: KnownDirective | undefined): BlockName | undefined {
  if (known?.kind === 'stream-block') return known.entry.directive;
  return known?.kind === 'setting' ? known.entry.block : undefined;
}
