import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import type { PassthroughDirective } from '../schema/config.ts';
import { MAX_RECORDS, type BlockName, type Setting } from '../schema/directive.ts';
import { BLOCK_NAMES, DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import type { ConfigPath, Problems } from './problem.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { readRecord } from './read-record.ts';
import { masked } from '../schema/secrets.ts';
import { suggest } from '../../lib/suggest.ts';
import { jsonName } from '../schema/table.ts';
import { maskAddress } from '../schema/secrets.ts';

/** Settings without which a block has no effect, by the name of the block. */
const NEEDED: {
  readonly [N in BlockName]?: { readonly key: string; readonly directive: string };
} = {
  vod: { key: 'storages', directive: 'storage' },
  event_sink: { key: 'url', directive: 'url' },
};

/** Number of statements that are read between two checks of the time. */
const STATEMENTS_PER_STEP = 50;

/** Converts between the offsets and the lines of a text. */
export interface Lines {
  lineAt(offset: number): number;
  startOf(line: number): number | undefined;
}

/** Statements of a block, before their values are checked. */
export interface BlockReading {
  /** Values as written, by the name of the setting; input of the block's schema. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly passthrough: readonly PassthroughDirective[];
}

/** Reads the statements of blocks, in steps: sorts them by the tables, and reports unknown ones. */
export class BlockReader {
  readonly #problems: Problems;
  readonly #lines: Lines;

  constructor(problems: Problems, lines: Lines) {
    this.#problems = problems;
    this.#lines = lines;
  }

  /** @param warns whether directives without effect are reported; false inside a block that is itself reported */
  *read(
    directives: readonly ConfigDirective[],
    blockName: BlockName,
    path: ConfigPath,
    warns = true,
  ): Generator<void, BlockReading> {
    const known = DIRECTIVES[blockName];
    const names = new Set<string>();
    const raw: Record<string, unknown> = {};
    const passthrough: PassthroughDirective[] = [];
    for (const [index, directive] of directives.entries()) {
      if (index % STATEMENTS_PER_STEP === STATEMENTS_PER_STEP - 1) yield;
      const what = known.get(directive.name);
      if (!what) this.#unknown(directive, blockName, path);
      else if (!this.swallowsNextLine(directive, what, blockName, path) && what.kind !== 'stream-block') {
        const isReserved = what.kind === 'free-form' || what.entry.isReserved === true;
        const settingPath = [...path, ...pathInJson(directive, what)];
        if (isReserved && warns)
          this.#problems.warning(
            directive.from,
            'config_not_effective',
            settingPath,
            because('directive_no_effect', { name: directive.name }),
          );
        if (what.kind === 'free-form') passthrough.push(passthroughOf(directive));
        else yield* this.#readSetting({ raw, names }, directive, what, [...path], warns && !isReserved);
      }
    }
    return { raw, passthrough };
  }

  *#readSetting(
    { raw, names }: { readonly raw: Record<string, unknown>; readonly names: Set<string> },
    directive: ConfigDirective,
    { key, entry }: KnownDirective & { kind: 'setting' },
    path: ConfigPath,
    warns: boolean,
  ): Generator<void, void> {
    const settingPath = [...path, jsonName(entry)];
    const itemPath = entry.repeat === 'many' ? [...settingPath, countOf(raw[key])] : settingPath;
    if (directive.block && entry.form !== 'block') {
      this.#problems.error(
        directive.blockFrom,
        'config_syntax',
        settingPath,
        because('directive_no_block', { name: directive.name }),
        {
          expected: ';',
          found: '{',
        },
      );
      return;
    }
    if (entry.form === 'list') {
      const args = argumentsOf(directive);
      if (args.length === 0) this.#missingArgument(directive, entry, settingPath);
      const start = countOf(raw[key]);
      for (const [index, { value, from }] of args.entries())
        if (warns && entry.hasEffect?.(value) === false)
          this.#withoutEffect(from, [...settingPath, start + index], directive, value);
      pushTo(
        raw,
        key,
        args.map(({ value }) => value),
      );
      return;
    }
    if (entry.form === 'record' && entry.repeat === 'many' && countOf(raw[key]) === MAX_RECORDS) {
      this.#problems.error(
        directive.from,
        'config_bad_value',
        settingPath,
        because('directive_too_often', { name: directive.name, limit: MAX_RECORDS }),
      );
      return;
    }
    const value =
      entry.form === 'record'
        ? readRecord(this.#problems, directive, entry, itemPath)
        : entry.form === 'block'
          ? yield* this.#readBlock(directive, entry, path, warns)
          : this.#readValue(directive, entry, itemPath);
    if (value === undefined) return;
    if (entry.repeat === 'once') {
      if (Object.hasOwn(raw, key))
        this.#problems.error(
          directive.from,
          'config_duplicate',
          settingPath,
          because('directive_repeated', { name: directive.name }),
        );
      else raw[key] = value;
    } else if (entry.repeat !== 'keyed' || this.#isNewName(names, value, directive, settingPath))
      pushTo(raw, key, [value]);
  }

  #readValue(directive: ConfigDirective, entry: Setting<unknown>, path: ConfigPath): string | undefined {
    const [first, second] = argumentsOf(directive);
    if (second)
      this.#problems.error(
        second.from,
        'config_bad_value',
        path,
        because('directive_one_value', { name: directive.name }),
        { expected: ';', found: masked(second.value, entry.isSecret === true) },
      );
    else if (!first && entry.form === 'value') this.#missingArgument(directive, entry, path);
    else {
      const value = first?.value ?? 'true';
      if (entry.hasEffect?.(value) === false) this.#withoutEffect(directive.from, path, directive, value);
      return value;
    }
    return undefined;
  }

  #withoutEffect(from: number, path: ConfigPath, { name }: ConfigDirective, value: string): void {
    this.#problems.warning(
      from,
      'config_not_effective',
      path,
      because('directive_value_no_effect', { name, value: maskAddress(value) }),
    );
  }

  *#readBlock(
    directive: ConfigDirective,
    entry: Setting<unknown>,
    path: ConfigPath,
    warns: boolean,
  ): Generator<void, Record<string, unknown> | undefined> {
    const args = argumentsOf(directive);
    const [name] = args;
    const isNamed = entry.repeat === 'keyed';
    const extra = args[isNamed ? 1 : 0];
    if (extra || (isNamed && !name)) {
      this.#problems.error(
        extra?.from ?? directive.nameTo,
        'config_syntax',
        [...path, jsonName(entry)],
        because(isNamed ? 'directive_name_and_block' : 'directive_only_block', { name: directive.name }),
        { expected: extra ? '{' : 'a name', found: extra?.value ?? '{' },
      );
      return undefined;
    }
    if (!entry.block) return undefined;
    const inner = isNamed ? [...path, jsonName(entry), (name?.value ?? '').slice(0, 80)] : [...path, jsonName(entry)];
    const { raw } = yield* this.read(directive.block ?? [], entry.block, inner, warns);
    const needed = NEEDED[entry.block];
    if (warns && needed && !Object.hasOwn(raw, needed.key))
      this.#problems.warning(
        directive.from,
        'config_not_effective',
        inner,
        because('directive_needs_other', { name: directive.name, other: needed.directive }),
      );
    return isNamed ? { ...raw, name: name?.value } : { ...raw };
  }

  #isNewName(names: Set<string>, value: unknown, directive: ConfigDirective, path: ConfigPath): boolean {
    // A keyed setting is an object with a name.
    const { name } = value as { readonly name: string };
    const isNew = !names.has(`${path.at(-1)} ${name}`);
    names.add(`${path.at(-1)} ${name}`);
    if (isNew) return true;
    this.#problems.error(
      argumentsOf(directive)[0]?.from ?? directive.from,
      'config_duplicate',
      [...path, name.slice(0, 80)],
      because('name_exists', { kind: directive.name, name: name.slice(0, 80) }),
      { found: name },
    );
    return false;
  }

  /** Whether the next line looks like arguments because a `;` is missing. The missing `;` is reported. */
  swallowsNextLine(directive: ConfigDirective, what: KnownDirective, blockName: BlockName, path: ConfigPath): boolean {
    const nextLine = this.#lines.startOf(directive.line + 1);
    const last = directive.args.at(-1);
    if (nextLine === undefined || !last || last.from < nextLine) return false;
    const isFlag = what.kind === 'setting' && what.entry.form === 'flag';
    let endBefore = directive.nameTo;
    for (const [index, word] of directive.args.entries()) {
      const isFirstOfLine = this.#lines.lineAt(endBefore) < this.#lines.lineAt(word.from);
      if (
        isFirstOfLine &&
        word.kind === 'word' &&
        (index > 0 || isFlag || directive.options.some(({ to }) => to < word.from)) &&
        DIRECTIVES[blockName].has(word.value)
      ) {
        const at = directive.options.reduce((end, { to }) => (to <= word.from ? Math.max(end, to) : end), endBefore);
        this.#problems.error(
          at,
          'config_syntax',
          [...path, ...(what.kind === 'stream-block' ? [directive.name] : pathInJson(directive, what))],
          because('semicolon_missing', { name: directive.name, next: word.value }),
          { expected: ';', found: word.value },
        );
        return true;
      }
      endBefore = word.to;
    }
    return false;
  }

  #unknown(directive: ConfigDirective, blockName: BlockName, path: ConfigPath): void {
    if (this.#problems.isFull) return;
    const { name } = directive;
    const details = {
      expected: blockName === 'file' ? 'a directive of the top level' : `a directive of ${blockName}`,
      found: name,
    };
    const home = BLOCK_NAMES.find((other) => DIRECTIVES[other].has(name));
    const similar = suggest(name, DIRECTIVES[blockName].keys());
    const shown = { name: name.slice(0, 80) };
    let reason =
      blockName === 'file'
        ? because('directive_unknown_at_top', shown)
        : because('directive_unknown', { ...shown, block: blockName });
    if (home === 'file' && DIRECTIVES.file.get(name)?.kind === 'stream-block')
      reason = because('brace_missing', { explanation: reason });
    else if (home === 'file') reason = because('directive_of_top', { explanation: reason });
    else if (similar !== undefined) reason = because('did_you_mean', { explanation: reason, name: similar });
    else if (home !== undefined) reason = because('directive_of_block', { explanation: reason, block: home });
    else if (name.includes('=')) reason = because('quotation_marks_missing', { explanation: reason });
    this.#problems.error(directive.from, 'config_unknown_directive', [...path, name.slice(0, 80)], reason, details);
  }

  #missingArgument(directive: ConfigDirective, entry: Setting<unknown>, path: ConfigPath): void {
    this.#problems.error(
      directive.nameTo,
      'config_bad_value',
      path,
      because('directive_needs_value', { name: directive.name, usage: entry.usage }),
      { expected: entry.usage, found: ';' },
    );
  }
}

/** Path in JSON of a directive's value. */
function pathInJson(directive: ConfigDirective, what: KnownDirective): string[] {
  if (what.kind !== 'setting') return [directive.name];
  const isNamed = what.entry.form === 'block' && what.entry.repeat === 'keyed';
  return [jsonName(what.entry), ...(isNamed ? [(argumentsOf(directive)[0]?.value ?? '').slice(0, 80)] : [])];
}

function passthroughOf(directive: ConfigDirective): PassthroughDirective {
  return {
    name: directive.name,
    args: directive.args.map(({ value }) => value),
    options: directive.options.map(({ key, value }) => [key, value] as const),
    block: directive.block?.map(passthroughOf) ?? null,
  };
}

function countOf(values: unknown): number {
  return Array.isArray(values) ? values.length : 0;
}

function pushTo(raw: Record<string, unknown>, key: string, values: readonly unknown[]): void {
  const before: unknown = raw[key];
  if (!Array.isArray(before)) raw[key] = [...values];
  else for (const value of values) before.push(value);
}
