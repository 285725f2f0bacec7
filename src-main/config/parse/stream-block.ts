import type { LineTable } from '../../../src-preload/contract/config-language/lines.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import type { StreamConfig, TemplateConfig } from '../schema/config.ts';
import { argumentsOf } from '../../../src-preload/contract/config-language/directive-arguments.ts';
import { DIRECTIVES } from '../schema/directives.ts';
import { COLLECTION, mapStream, mapTemplate, readBlockName, type StreamBlockName } from './map-block.ts';
import { Problems } from './problem.ts';
import { BlockReader, type BlockReading } from './read-block.ts';
import { SETTINGS_OF_TEMPLATE } from '../schema/stream-settings.ts';

/** Value of a block, and its mistakes. Lines are relative to the start of its text block. */
export interface MappedBlock<T> {
  /** Undefined if there are mistakes. */
  readonly value: T | undefined;
  readonly problems: Problems;
}

export interface BlockReference {
  readonly kind: 'dvr' | 'auth_backend';
  readonly name: string;
  /** Directive that refers to it, and offset of its word. */
  readonly directive: string;
  readonly from: number;
}

interface ReferenceForm {
  readonly kind: BlockReference['kind'];
  readonly pattern: RegExp;
}
const STORAGE: ReferenceForm = { kind: 'dvr', pattern: /^@(.+)$/ };
const BACKEND: ReferenceForm = { kind: 'auth_backend', pattern: /^auth:\/\/([^/?#]+)/ };
/** Forms of words that refer to a named block, by directive. */
const REFERENCES: ReadonlyMap<string, ReferenceForm> = new Map([
  ['dvr', STORAGE],
  ['dvr_offline', STORAGE],
  ['on_play', BACKEND],
  ['on_publish', BACKEND],
]);

function referencesOf(directive: ConfigDirective): readonly BlockReference[] {
  const reference = REFERENCES.get(directive.name);
  if (!reference) return [];
  return argumentsOf(directive).flatMap(({ value, from }) => {
    const name = reference.pattern.exec(value)?.[1];
    return name === undefined ? [] : [{ kind: reference.kind, name, directive: directive.name, from }];
  });
}

/** Statement that defines a stream, a live prefix or a template. Its meaning is computed once and cached. */
export class StreamBlock {
  readonly kind: StreamBlockName;
  readonly directive: ConfigDirective;
  /** Name; undefined if it is missing or wrong. */
  readonly name: string | undefined;
  /** Offset of the name. */
  readonly nameFrom: number;
  /** Mistakes in the name and in the form of the block. */
  readonly problems: Problems;
  readonly reading: BlockReading;
  readonly #lines: LineTable;
  #stream: (MappedBlock<StreamConfig> & { readonly template: BlockReading | undefined }) | undefined;
  #template: MappedBlock<TemplateConfig> | undefined;
  #references: readonly BlockReference[] | undefined;

  private constructor(
    directive: ConfigDirective,
    kind: StreamBlockName,
    lines: LineTable,
    { name, reading, problems }: Pick<StreamBlock, 'name' | 'reading' | 'problems'>,
  ) {
    this.kind = kind;
    this.directive = directive;
    this.#lines = lines;
    this.problems = problems;
    this.name = name;
    this.nameFrom = argumentsOf(directive)[0]?.from ?? directive.from;
    this.reading = reading;
  }

  /** Reads the statement of a stream, a live prefix or a template, in steps. */
  static *read(directive: ConfigDirective, kind: StreamBlockName, lines: LineTable): Generator<void, StreamBlock> {
    const problems = new Problems(lines);
    const reader = new BlockReader(problems, lines);
    const known = DIRECTIVES.file.get(kind);
    const isTorn = known !== undefined && reader.swallowsNextLine(directive, known, 'file', []);
    const name = isTorn ? undefined : readBlockName(problems, directive, kind);
    const reading =
      name === undefined
        ? { raw: {}, passthrough: [] }
        : yield* reader.read(directive.block ?? [], kind, [COLLECTION[kind], name]);
    return new StreamBlock(directive, kind, lines, { name, reading, problems });
  }

  /** Name of the template that a stream refers to, and its offset. */
  get templateReference(): { readonly name: string; readonly from: number } | undefined {
    const name = this.reading.raw['template'];
    if (typeof name !== 'string') return undefined;
    return {
      name,
      from:
        this.directive.block?.find((statement) => statement.name === 'template')?.args[0]?.from ?? this.directive.from,
    };
  }

  /** Named blocks that its directives refer to. */
  get references(): readonly BlockReference[] {
    this.#references ??= (this.directive.block ?? []).flatMap(referencesOf);
    return this.#references;
  }

  get prefixes(): readonly { readonly value: string; readonly from: number }[] {
    if (this.kind === 'live') return [{ value: this.name ?? '', from: this.nameFrom }];
    const names = [SETTINGS_OF_TEMPLATE.prefixes.directive, ...(SETTINGS_OF_TEMPLATE.prefixes.aliases ?? [])];
    return (this.directive.block ?? []).filter(({ name }) => names.includes(name)).flatMap(argumentsOf);
  }

  /** Stream with the settings of its template; in steps. */
  *mapStream(template: BlockReading | undefined): Generator<void, MappedBlock<StreamConfig>> {
    if (this.#stream && this.#stream.template === template) return this.#stream;
    const problems = new Problems(this.#lines);
    const value = yield* mapStream(problems, this.name ?? '', this.directive, this.reading, template);
    this.#stream = { value, problems, template };
    return this.#stream;
  }

  /** Template or live prefix; in steps. */
  *mapTemplate(): Generator<void, MappedBlock<TemplateConfig>> {
    if (this.#template) return this.#template;
    const problems = new Problems(this.#lines);
    const value = yield* mapTemplate(
      problems,
      this.name ?? '',
      this.directive,
      this.reading,
      this.kind === 'live' ? 'live' : 'template',
    );
    this.#template = { value, problems };
    return this.#template;
  }
}
