import { parseConfigText, type ParsedText } from '../../src-preload/contract/config-language/parse.ts';
import type { ConfigDirective } from '../../src-preload/contract/config-language/syntax.ts';
import { isOptionKey, printWord } from '../../src-preload/contract/config-language/text-literal.ts';
import type { ErrorCode } from '../../src-preload/contract/errors.ts';
import { changeValues, indentUnit, insertIntoBlock, printDirective, type NewDirective } from './directive-edit.ts';
import { DIRECTIVES, type KnownDirective } from './directives.ts';
import { mapText, MAX_TEXT_LENGTH, parseConfig } from './parse-config.ts';
import type { Config } from './config.ts';
import type { ConfigError } from './problem.ts';
import { wordsOf } from './read-block.ts';
import { applyChanges, indentAt, lineBreakOf, lineEnd, lineStart, removal, type TextChange } from './text-change.ts';
import { nameSchema } from './value-schema.ts';

/** The blocks that edits reach; `stream` where an edit names none. */
export type EditedBlock = 'stream' | 'live' | 'template';

interface BlockEdit {
  readonly block?: EditedBlock;
  /** Name of the stream, live prefix or template. */
  readonly name: string;
}

/** One change of a configuration text. */
export type ConfigEdit =
  | (BlockEdit & { readonly edit: 'addStream'; readonly directives: readonly NewDirective[] })
  | (BlockEdit & { readonly edit: 'removeStream' })
  /** Gives the directive (its `index`th one, from 0) these values; adds it where the stream has fewer. */
  | (BlockEdit & { readonly edit: 'setStreamDirective'; readonly directive: NewDirective; readonly index?: number })
  /** Adds one more, behind those of the same name. */
  | (BlockEdit & { readonly edit: 'addStreamDirective'; readonly directive: NewDirective })
  /** Removes the directive, or only its `index`th one. Nothing happens where it is not. */
  | (BlockEdit & { readonly edit: 'removeStreamDirective'; readonly directive: string; readonly index?: number });

/** The text after edits, or the text as it was and why. */
export interface EditResult {
  readonly text: string;
  /** Why the edits were not made; empty when they were. */
  readonly errors: readonly ConfigError[];
  /** What the new text says; undefined when it was not edited, or had mistakes before that are still there. */
  readonly config: Config | undefined;
}

/** An edit that cannot be made; caught in this file. */
class EditProblem extends Error {
  readonly code: ErrorCode;
  readonly at: number;

  constructor(code: ErrorCode, message: string, at = 0) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

/**
 * Changes a configuration text. Only the lines that an edit means are written anew; everything else stays as it is, byte for byte. All edits are
 * made or none: a text with mistakes of form is not edited, and no edit may bring a mistake in.
 */
export function editConfig(text: string, edits: readonly ConfigEdit[]): EditResult {
  if (text.length > MAX_TEXT_LENGTH) return { text, errors: parseConfig(text).errors, config: undefined };
  const original = parseConfigText(text);
  if (original.problems.length > 0) return { text, errors: mapText(original).errors, config: undefined };
  let parsed = original;
  for (const edit of edits) {
    try {
      parsed = parseConfigText(applyChanges(parsed.text, changesOf(parsed, edit)));
    } catch (cause) {
      if (!(cause instanceof EditProblem)) throw cause;
      const place = parsed.lines.placeAt(cause.at);
      return { text, errors: [{ code: cause.code, message: cause.message, ...place, path: [`${edit.block ?? 'stream'}s`, edit.name.slice(0, 200)] }], config: undefined };
    }
  }
  const result = mapText(parsed);
  const errors = newErrors(original, result.errors);
  return errors.length > 0 ? { text, errors, config: undefined } : { text: parsed.text, errors: [], config: result.config };
}

/** Mistakes of the new text that the old one did not have. */
function newErrors(before: ParsedText, errors: readonly ConfigError[]): readonly ConfigError[] {
  if (errors.length === 0) return [];
  const known = new Map<string, number>();
  for (const error of mapText(before).errors) known.set(keyOf(error), (known.get(keyOf(error)) ?? 0) + 1);
  return errors.filter((error) => {
    const left = known.get(keyOf(error)) ?? 0;
    known.set(keyOf(error), left - 1);
    return left <= 0;
  });
}

function keyOf({ code, path }: ConfigError): string {
  return JSON.stringify([code, path]);
}

function changesOf(parsed: ParsedText, edit: ConfigEdit): readonly TextChange[] {
  const kind = edit.block ?? 'stream';
  const found = parsed.directives.find((directive) => directive.name === kind && wordsOf(directive)[0]?.value === edit.name);
  if (edit.edit === 'addStream') {
    if (found) throw new EditProblem('stream_exists', `There is a ${kind} ${edit.name} already`, found.from);
    return [addBlock(parsed, kind, edit.name, edit.directives)];
  }
  if (!found) throw new EditProblem('stream_not_found', `There is no ${kind} ${edit.name} in the configuration`);
  switch (edit.edit) {
    case 'removeStream':
      return [removal(parsed.text, found.from, found.to)];
    case 'setStreamDirective':
      return setDirective(parsed.text, found, kind, edit.directive, edit.index ?? 0);
    case 'addStreamDirective':
      return setDirective(parsed.text, found, kind, edit.directive, Number.POSITIVE_INFINITY);
    case 'removeStreamDirective': {
      const same = sameDirectives(found, kind, knownDirective(kind, edit.directive));
      const meant = edit.index === undefined ? same : same.slice(edit.index, edit.index + 1);
      return mergeRemovals(meant.map(({ from, to }) => removal(parsed.text, from, to)));
    }
  }
}

function addBlock(parsed: ParsedText, kind: EditedBlock, name: string, directives: readonly NewDirective[]): TextChange {
  const { text } = parsed;
  const checked = nameSchema.safeParse(name);
  if (!checked.success) throw new EditProblem('bad_stream_name', `This cannot be the name of a ${kind}: expected ${checked.error.issues[0]?.message ?? 'a name'}`);
  for (const directive of directives) checkDirective(kind, directive);
  const lineBreak = lineBreakOf(text);
  const indent = indentUnit(text, parsed.directives);
  const last = parsed.directives.findLast((directive) => directive.name === kind);
  const outer = last ? indentAt(text, last.from) : '';
  const lines = [`${kind} ${printWord(name)} {`, ...directives.map((directive) => indent + printDirective(directive)), '}'];
  const block = lines.map((line) => outer + line).join(lineBreak);
  if (!last) {
    const isAtLineStart = lineStart(text, text.length) === text.length;
    return { from: text.length, to: text.length, insert: isAtLineStart ? block + lineBreak : lineBreak + block };
  }
  const next = parsed.directives[parsed.directives.indexOf(last) + 1]?.from ?? Number.POSITIVE_INFINITY;
  const end = lineEnd(text, last.to);
  // Another statement on the last line of the stream may go on in the next one, so the new stream stands before it.
  if (next <= end) return { from: last.to, to: last.to, insert: lineBreak + block + lineBreak };
  const gap = followsEmptyLine(text, last) ? lineBreak : '';
  return { from: end, to: end, insert: lineBreak + gap + block };
}

function followsEmptyLine(text: string, { from }: ConfigDirective): boolean {
  const start = lineStart(text, from);
  if (start === 0) return false;
  const breakLength = text.startsWith('\r\n', start - 2) ? 2 : 1;
  const before = start - breakLength;
  return before > 0 && lineStart(text, before) === before;
}

function setDirective(text: string, owner: ConfigDirective, kind: EditedBlock, directive: NewDirective, index: number): readonly TextChange[] {
  const known = checkDirective(kind, directive);
  const same = sameDirectives(owner, kind, known);
  const target = same[index];
  if (!target) return [insertIntoBlock(text, owner, printDirective(directive), same.at(-1))];
  if (target.block) throw new EditProblem('config_bad_value', `${directive.name} has a block here; that is changed in the text`, target.from);
  return changeValues(text, target, directive, takesOptions(known));
}

function sameDirectives(owner: ConfigDirective, kind: EditedBlock, known: KnownDirective): readonly ConfigDirective[] {
  return (owner.block ?? []).filter(({ name }) => DIRECTIVES[kind].get(name) === known);
}

function knownDirective(kind: EditedBlock, name: string): KnownDirective {
  const known = DIRECTIVES[kind].get(name);
  if (!known) throw new EditProblem('config_unknown_directive', `There is no directive ${name.slice(0, 80)} in ${kind}`);
  return known;
}

function checkDirective(kind: EditedBlock, directive: NewDirective): KnownDirective {
  const known = knownDirective(kind, directive.name);
  const keys = Object.keys(directive.options ?? {});
  const bad = keys.find((key) => !isOptionKey(key));
  if (bad !== undefined) throw new EditProblem('config_bad_value', `${bad.slice(0, 80)} cannot be the name of an option`);
  if (keys.length > 0 && !takesOptions(known)) throw new EditProblem('config_bad_value', `${directive.name} has no options`);
  return known;
}

function takesOptions(known: KnownDirective): boolean {
  return known.kind === 'later' || (known.kind === 'setting' && known.entry.form === 'input');
}

/** Removals on one line can reach into each other's blanks. */
function mergeRemovals(changes: readonly TextChange[]): readonly TextChange[] {
  const merged: TextChange[] = [];
  for (const change of changes) {
    const last = merged.at(-1);
    if (last && change.from < last.to) merged[merged.length - 1] = { ...last, to: Math.max(last.to, change.to) };
    else merged.push(change);
  }
  return merged;
}
