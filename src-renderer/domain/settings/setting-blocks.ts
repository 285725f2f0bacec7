import { statementsOf } from '../../../src-preload/contract/config-language/block-form.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import type { DirectiveHelp } from '../../../src-preload/contract/config-language/directive-help.ts';
import { parseConfigText } from '../../../src-preload/contract/config-language/parse.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import type { DirectiveEdit } from '../../../src-preload/contract/operations/config-calls.ts';
import { NEW_FOLDER, NEW_STORAGE, recordingPart } from './recording-words.ts';
import type { ExistingObjects } from './setting-fields.ts';
import { applyEdits, firstOf, type Settings, type StatementEdit } from './statements.ts';

/** Directives by kind of block; `file` is the top level. */
export type BlockHelp = Readonly<Record<string, readonly DirectiveHelp[]>>;

/** Block whose settings are shown. */
export interface BlockName {
  readonly kind: DirectiveEdit['block'];
  readonly name: string;
}

const nameOf = (directive: ConfigDirective): string => argumentsOf(directive)[0]?.value ?? '';
const isBlock = (directive: ConfigDirective, kind: string): boolean =>
  directive.name === kind && directive.block !== undefined;

/** Parsed configuration text. */
export class SettingBlocks {
  readonly #text: string;
  readonly #help: BlockHelp;
  readonly #directives: readonly ConfigDirective[];

  constructor(text: string, help: BlockHelp) {
    this.#text = text;
    this.#help = help;
    this.#directives = parseConfigText(text).directives;
  }

  /**
   * Block with the settings of a stream: its own block, or the live prefix or template whose prefix starts
   * the name of a published stream.
   */
  blockOf(stream: string): BlockName | undefined {
    if (this.#find({ kind: 'stream', name: stream })) return { kind: 'stream', name: stream };
    const prefixes = this.#directives.flatMap((one): { readonly prefix: string; readonly block: BlockName }[] => {
      const name = nameOf(one);
      if (isBlock(one, 'live')) return [{ prefix: name, block: { kind: 'live', name } }];
      if (!isBlock(one, 'template')) return [];
      const words = (one.block ?? []).filter(({ name: directive }) => /^prefix(es)?$/.test(directive));
      return words.flatMap(argumentsOf).map(({ value }) => ({ prefix: value, block: { kind: 'template', name } }));
    });
    return prefixes
      .filter(({ prefix }) => stream.startsWith(`${prefix}/`))
      .sort((a, b) => b.prefix.length - a.prefix.length)[0]?.block;
  }

  /** Text of a block; empty if it is missing. */
  textOf(block: BlockName): string {
    const found = this.#find(block);
    return found ? this.#text.slice(found.from, found.to) : '';
  }

  /** Settings of a block after edits; undefined if the block is missing. */
  settingsOf(block: BlockName, edits: readonly StatementEdit[] = []): Settings | undefined {
    const found = this.#find(block);
    return found ? this.#settings(found.block ?? [], block.kind, edits) : undefined;
  }

  /** Settings of a stream that does not exist yet. */
  newSettings(edits: readonly StatementEdit[]): Settings {
    return this.#settings([], 'stream', edits);
  }

  /** Names that settings may refer to. */
  get existing(): ExistingObjects {
    const named = (...kinds: readonly string[]): readonly string[] =>
      this.#directives.filter((one) => kinds.some((kind) => isBlock(one, kind))).map(nameOf);
    return {
      storages: named('dvr'),
      templates: named('template', 'live'),
      backends: named('auth_backend').map((name) => `auth://${name}`),
      locations: named('vod'),
    };
  }

  /** The text, with the storage that a new recording of these settings needs. */
  withStorage({ own }: Pick<Settings, 'own'>): string {
    const place = recordingPart(firstOf(own, 'dvr'), 'place');
    if (place !== `@${NEW_STORAGE}` || this.existing.storages.includes(NEW_STORAGE)) return this.#text;
    return `${this.#text.replace(/\n*$/, '\n')}dvr ${NEW_STORAGE} {\n  root ${NEW_FOLDER};\n}\n`;
  }

  #find({ kind, name }: BlockName): ConfigDirective | undefined {
    return this.#directives.find((one) => isBlock(one, kind) && nameOf(one) === name);
  }

  #settings(
    directives: readonly ConfigDirective[],
    kind: BlockName['kind'],
    edits: readonly StatementEdit[],
  ): Settings {
    const help = this.#help[kind] ?? [];
    const own = applyEdits(statementsOf(directives, help), edits, help);
    const template = own.find(({ directive }) => directive === 'template')?.words[0];
    return {
      own,
      inherited: template === undefined ? [] : this.#inherited(template, help),
      file: statementsOf(
        this.#directives.filter(({ block }) => block === undefined),
        this.#help['file'] ?? [],
      ),
      help,
    };
  }

  #inherited(name: string, help: readonly DirectiveHelp[]): Settings['own'] {
    const found = this.#find({ kind: 'template', name }) ?? this.#find({ kind: 'live', name });
    return statementsOf(found?.block ?? [], help).filter(({ directive }) => directive !== 'prefix');
  }
}
