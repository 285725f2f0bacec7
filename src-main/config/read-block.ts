import type { ConfigDirective, ConfigWord } from '../../src-preload/contract/config-language/syntax.ts';
import type { LineTable } from '../../src-preload/contract/config-language/lines.ts';
import type { KeptDirective } from './config.ts';
import type { BlockName, Setting } from './directive.ts';
import { BLOCK_NAMES, DIRECTIVES, type KnownDirective } from './directives.ts';
import { INPUT_OPTION_KEYS } from './input-setting.ts';
import type { ConfigPath, Problems } from './problem.ts';
import { suggest } from './suggest.ts';

/** What the statements of a block say, before the values are looked at. */
export interface BlockReading {
  /** By the name of the value; what the schema of the block takes. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly kept: readonly KeptDirective[];
  /** Statements that make streams, only at the top level. */
  readonly streamBlocks: readonly ConfigDirective[];
}

/** Reads the statements of blocks: sorts them by what the tables know, and reports what they do not know. */
export class BlockReader {
  readonly #problems: Problems;
  readonly #lines: LineTable;

  constructor(problems: Problems, lines: LineTable) {
    this.#problems = problems;
    this.#lines = lines;
  }

  read(directives: readonly ConfigDirective[], blockName: BlockName, path: ConfigPath): BlockReading {
    const known = DIRECTIVES[blockName];
    const raw: Record<string, unknown> = {};
    const kept: KeptDirective[] = [];
    const streamBlocks: ConfigDirective[] = [];
    for (const directive of directives) {
      const what = known.get(directive.name);
      if (!what) this.#unknown(directive, blockName, path);
      else if (this.#swallowsNextLine(directive, what, blockName, path)) continue;
      else if (what.kind === 'setting') this.#readSetting(raw, directive, what, path);
      else if (what.kind === 'stream-block') streamBlocks.push(directive);
      else kept.push(this.#readLater(directive, what, path));
    }
    return { raw, kept, streamBlocks };
  }

  #readSetting(raw: Record<string, unknown>, directive: ConfigDirective, { key, entry }: KnownDirective & { kind: 'setting' }, path: ConfigPath): void {
    const place = [...path, directive.name];
    if (directive.block) {
      this.#problems.error(directive.blockFrom, 'config_syntax', place, `${directive.name} takes no block`, { expected: ';', found: '{' });
      return;
    }
    if (entry.form === 'input') {
      const input = this.#readInput(directive, entry, place);
      if (input) pushTo(raw, key, [input]);
      return;
    }
    const words = wordsOf(directive);
    if (entry.form === 'list') {
      if (words.length === 0) this.#missingArgument(directive, entry, place);
      else pushTo(raw, key, words.map(({ value }) => value));
      return;
    }
    const [first, second] = words;
    if (second) this.#problems.error(second.from, 'config_bad_value', place, `${directive.name} takes one value; a value with spaces stands in quotation marks`, { expected: ';', found: second.value });
    else if (!first && entry.form === 'value') this.#missingArgument(directive, entry, place);
    else if (Object.hasOwn(raw, key)) this.#problems.error(directive.from, 'config_duplicate', place, `${directive.name} stands in this block already`);
    else raw[key] = first?.value ?? 'true';
  }

  #readInput(directive: ConfigDirective, entry: Setting<unknown>, path: ConfigPath): Record<string, unknown> | undefined {
    const [url, extra] = directive.args;
    if (!url) {
      this.#missingArgument(directive, entry, path);
      return undefined;
    }
    if (extra) {
      this.#problems.error(extra.from, 'config_bad_value', path, 'An input has one address; what follows it are options, key=value', { expected: 'key=value or ;', found: extra.value });
      return undefined;
    }
    const input: Record<string, unknown> = { url: url.value };
    const options: Record<string, string> = {};
    const seen = new Set<string>();
    for (const option of directive.options) {
      if (seen.has(option.key)) {
        this.#problems.error(option.from, 'config_duplicate', [...path, option.key], `The option ${option.key} stands here already`);
        continue;
      }
      seen.add(option.key);
      if (option.key === '__proto__') {
        this.#problems.error(option.from, 'config_bad_value', [...path, option.key], 'No input has an option of this name', { found: option.key });
        continue;
      }
      const key = INPUT_OPTION_KEYS.get(option.key);
      if (key === undefined) options[option.key] = option.value;
      else input[key] = option.value;
    }
    return { ...input, options };
  }

  #readLater(directive: ConfigDirective, what: KnownDirective & { kind: 'later' }, path: ConfigPath): KeptDirective {
    const place = [...path, directive.name];
    this.#problems.warning(directive.from, 'config_not_effective', place, `${directive.name} is read and kept, but has no effect in this version`);
    if (what.entry.block && directive.block) this.#checkNames(directive.block, what.entry.block, place);
    return keep(directive);
  }

  #checkNames(directives: readonly ConfigDirective[], blockName: BlockName, path: ConfigPath): void {
    const known = DIRECTIVES[blockName];
    for (const directive of directives) {
      const what = known.get(directive.name);
      if (!what) this.#unknown(directive, blockName, path);
      else this.#swallowsNextLine(directive, what, blockName, path);
    }
  }

  /** A forgotten `;` makes the next line look like arguments. */
  #swallowsNextLine(directive: ConfigDirective, what: KnownDirective, blockName: BlockName, path: ConfigPath): boolean {
    const nextLine = this.#lines.startOf(directive.line + 1);
    const last = directive.args.at(-1);
    if (nextLine === undefined || !last || last.from < nextLine) return false;
    const isFlag = what.kind === 'setting' && what.entry.form === 'flag';
    let endBefore = directive.nameTo;
    for (const [index, word] of directive.args.entries()) {
      const isFirstOfLine = this.#lines.lineAt(endBefore) < this.#lines.lineAt(word.from);
      if (isFirstOfLine && word.kind === 'word' && (index > 0 || isFlag || directive.options.some(({ to }) => to < word.from)) && DIRECTIVES[blockName].has(word.value)) {
        const at = directive.options.reduce((end, { to }) => (to <= word.from ? Math.max(end, to) : end), endBefore);
        this.#problems.error(at, 'config_syntax', [...path, directive.name], `A ; is missing after ${directive.name}, before ${word.value} in the next line`, { expected: ';', found: word.value });
        return true;
      }
      endBefore = word.to;
    }
    return false;
  }

  #unknown(directive: ConfigDirective, blockName: BlockName, path: ConfigPath): void {
    if (this.#problems.isFull) return;
    const { name } = directive;
    const where = blockName === 'file' ? 'at the top level' : `in ${blockName}`;
    const details = { expected: blockName === 'file' ? 'a directive of the top level' : `a directive of ${blockName}`, found: name };
    const home = BLOCK_NAMES.find((other) => DIRECTIVES[other].has(name));
    const similar = suggest(name, DIRECTIVES[blockName].keys());
    let help = '';
    if (home === 'file' && DIRECTIVES.file.get(name)?.kind === 'stream-block') help = '; is a } missing before it?';
    else if (home === 'file') help = '; it belongs to the top level';
    else if (similar !== undefined) help = `; did you mean ${similar}?`;
    else if (home !== undefined) help = `; it belongs into ${home}`;
    else if (name.includes('=')) help = '; an address or value with ; stands in quotation marks';
    this.#problems.error(directive.from, 'config_unknown_directive', [...path, name.slice(0, 80)], `There is no directive ${name.slice(0, 80)} ${where}${help}`, details);
  }

  #missingArgument(directive: ConfigDirective, entry: Setting<unknown>, path: ConfigPath): void {
    this.#problems.error(directive.nameTo, 'config_bad_value', path, `${directive.name} needs a value: ${entry.usage}`, { expected: entry.usage, found: ';' });
  }
}

/** All arguments in order, those with `=` in them as words too: for directives that have no options. */
export function wordsOf(directive: ConfigDirective): readonly Pick<ConfigWord, 'value' | 'from' | 'to'>[] {
  if (directive.options.length === 0) return directive.args;
  const options = directive.options.map(({ key, value, from, to }) => ({ value: `${key}=${value}`, from, to }));
  return [...directive.args, ...options].sort((a, b) => a.from - b.from);
}

function keep(directive: ConfigDirective): KeptDirective {
  return {
    name: directive.name,
    args: directive.args.map(({ value }) => value),
    options: directive.options.map(({ key, value }) => [key, value] as const),
    block: directive.block?.map(keep) ?? null,
  };
}

function pushTo(raw: Record<string, unknown>, key: string, values: readonly unknown[]): void {
  const before: unknown = raw[key];
  if (!Array.isArray(before)) raw[key] = [...values];
  else for (const value of values) before.push(value);
}
