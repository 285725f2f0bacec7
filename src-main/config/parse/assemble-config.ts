import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { suggest } from '../../lib/suggest.ts';
import type { Config, StreamConfig, TemplateConfig } from '../schema/config.ts';
import { COLLECTION } from './map-block.ts';
import { Problems, withSuggestion } from './problem.ts';
import type { BlockReading } from './read-block.ts';
import { readTopLevel } from './read-top-level.ts';
import type { MappedBlock, StreamBlock } from './stream-block.ts';
import { TEXT_BLOCKS_PER_STEP, TextBlockOffsets, type TextBlock } from './text-block.ts';

/** Meaning of all text blocks together. */
export interface Assembly {
  /** Complete only without errors. */
  readonly config: Config;
  readonly problems: Problems;
}

/** Builds a configuration from its text blocks, in steps. The cached meaning of a text block is reused. */
export function* assembleConfig(textBlocks: readonly TextBlock[]): Generator<void, Assembly> {
  const offsets = new TextBlockOffsets(textBlocks);
  const assembler = new Assembler(offsets);
  const top = yield* readTopLevel(textBlocks, offsets, assembler.problems);
  // Reads templates and live prefixes first, because a stream may precede its template.
  for (const kind of ['template', 'live'] as const) {
    for (const [index, { blocks }] of textBlocks.entries()) {
      if (index % TEXT_BLOCKS_PER_STEP === TEXT_BLOCKS_PER_STEP - 1) yield;
      for (const block of blocks) if (block.kind === kind) yield* assembler.addTemplate(block, index);
    }
  }
  for (const [index, { blocks }] of textBlocks.entries()) {
    for (const block of blocks) {
      if (block.kind === 'stream') yield* assembler.addStream(block, index);
      assembler.checkReferences(block, index, top);
      yield;
    }
  }
  const { streams, livePrefixes, templates, problems } = assembler;
  return { config: { ...top, streams, livePrefixes, templates }, problems };
}

class Assembler {
  readonly problems: Problems;
  readonly streams = new Map<string, StreamConfig>();
  readonly livePrefixes = new Map<string, TemplateConfig>();
  readonly templates = new Map<string, TemplateConfig>();
  readonly #offsets: TextBlockOffsets;
  /** Readings of valid templates, for the streams that inherit from them. */
  readonly #templateReadings = new Map<string, BlockReading>();
  /** Readings of valid live prefixes, which a stream can name like a template. */
  readonly #liveReadings = new Map<string, BlockReading>();
  /** Offset of each name, by kind and name. */
  readonly #names = new Map<string, number>();
  readonly #prefixes = new Map<string, number>();
  /** Remaining number of searches for a similar name. Each search compares a name with all names. */
  #suggestions = 20;

  constructor(offsets: TextBlockOffsets) {
    this.#offsets = offsets;
    this.problems = new Problems(offsets);
  }

  *addTemplate(block: StreamBlock, textBlock: number): Generator<void, void> {
    if (!this.#claimName(block, textBlock)) return;
    const mapped = yield* block.mapTemplate();
    this.#report(mapped, block, textBlock);
    const { name } = block;
    if (!mapped.value || name === undefined) return;
    for (const { value, from } of block.prefixes)
      this.#claimPrefix(value, from + this.#offsets.offsetOf(textBlock), [
        COLLECTION[block.kind],
        name,
        ...(block.kind === 'live' ? [] : ['prefixes']),
      ]);
    if (block.kind === 'live') {
      this.livePrefixes.set(name, mapped.value);
      this.#liveReadings.set(name, block.reading);
    } else {
      this.templates.set(name, mapped.value);
      this.#templateReadings.set(name, block.reading);
    }
  }

  *addStream(block: StreamBlock, textBlock: number): Generator<void, void> {
    if (!this.#claimName(block, textBlock)) return;
    const mapped = yield* block.mapStream(this.#templateOf(block, textBlock));
    this.#report(mapped, block, textBlock);
    if (mapped.value) this.streams.set(mapped.value.name, mapped.value);
  }

  /**
   * Adds warnings for references to blocks that the text does not have. They are no mistakes, because the rest of the stream
   * works.
   */
  checkReferences(
    block: StreamBlock,
    textBlock: number,
    { dvrs, authBackends }: Pick<Config, 'dvrs' | 'authBackends'>,
  ): void {
    for (const { kind, name, directive, from } of block.references) {
      const known = kind === 'dvr' ? dvrs : authBackends;
      if (known.has(name)) continue;
      const similar = this.#suggestions-- > 0 ? suggest(name, [...known.keys()]) : undefined;
      const shown = name.slice(0, 80);
      const missing = because('block_unknown', { kind, name: shown });
      this.problems.warning(
        from + this.#offsets.offsetOf(textBlock),
        'config_unknown_name',
        [COLLECTION[block.kind], block.name ?? '', directive],
        withSuggestion(missing, similar),
      );
    }
  }

  #report(mapped: MappedBlock<unknown>, block: StreamBlock, textBlock: number): void {
    const lines = this.#offsets.linesBefore(textBlock);
    this.problems.addMoved(block.problems, lines);
    this.problems.addMoved(mapped.problems, lines);
  }

  #claimName(block: StreamBlock, textBlock: number): boolean {
    const { kind, name } = block;
    if (name === undefined) {
      this.problems.addMoved(block.problems, this.#offsets.linesBefore(textBlock));
      return false;
    }
    const at = block.nameFrom + this.#offsets.offsetOf(textBlock);
    const key = `${kind} ${name}`;
    const before = this.#names.get(key);
    if (before === undefined) this.#names.set(key, at);
    else
      this.problems.error(
        at,
        'config_duplicate',
        [COLLECTION[kind], name],
        because('name_exists_in_line', { kind, name, line: this.problems.lineOf(before) }),
        { found: name },
      );
    return before === undefined;
  }

  #templateOf(block: StreamBlock, textBlock: number): BlockReading | undefined {
    const reference = block.templateReference;
    if (!reference) return undefined;
    const { name, from } = reference;
    const reading = this.#templateReadings.get(name);
    // Mistakes of a template are reported only at the template.
    if (reading || this.#names.has(`template ${name}`)) return reading;
    const live = this.#liveReadings.get(name);
    if (live || this.#names.has(`live ${name}`)) return live;
    const similar =
      this.#suggestions-- > 0
        ? suggest(name, [...this.#templateReadings.keys(), ...this.#liveReadings.keys()])
        : undefined;
    this.problems.error(
      from + this.#offsets.offsetOf(textBlock),
      'config_bad_value',
      ['streams', block.name ?? '', 'template'],
      withSuggestion(because('template_unknown', { name }), similar),
      { expected: 'the name of a template or live prefix', found: name },
    );
    return undefined;
  }

  #claimPrefix(prefix: string, at: number, path: readonly string[]): void {
    const before = this.#prefixes.get(prefix);
    if (before === undefined) this.#prefixes.set(prefix, at);
    else
      this.problems.error(
        at,
        'config_duplicate',
        path,
        because('prefix_already_used', { prefix, line: this.problems.lineOf(before) }),
        { found: prefix },
      );
  }
}
