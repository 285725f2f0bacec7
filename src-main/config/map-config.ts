import type { z } from 'zod';
import type { LineTable } from '../../src-preload/contract/config-language/lines.ts';
import type { ConfigDirective } from '../../src-preload/contract/config-language/syntax.ts';
import type { Config, KeptDirective, Listener, StreamConfig, StreamSettings, TemplateConfig } from './config.ts';
import type { BlockName } from './directive.ts';
import { DIRECTIVES } from './directives.ts';
import { fileSchema } from './file-settings.ts';
import type { ConfigPath, Problems } from './problem.ts';
import { BlockReader, wordsOf, type BlockReading } from './read-block.ts';
import { liveSchema, streamSchema, templateSchema, type WrittenSettings } from './stream-settings.ts';
import { suggest } from './suggest.ts';
import { locateIssue } from './locate-issue.ts';
import { nameSchema, printDuration } from './value-schema.ts';

type StreamBlockName = 'stream' | 'live' | 'template';
const COLLECTION = { stream: 'streams', live: 'lives', template: 'templates' } as const;

/** Makes the configuration of statements. */
export class ConfigMapper {
  readonly #problems: Problems;
  readonly #reader: BlockReader;
  readonly #templates = new Map<string, TemplateConfig>();
  /** What the valid templates have written, for the streams that take it over. */
  readonly #templateReadings = new Map<string, BlockReading>();
  readonly #lives = new Map<string, TemplateConfig>();
  readonly #streams = new Map<string, StreamConfig>();
  /** Where each name stands, by collection and name. */
  readonly #names = new Map<string, number>();
  readonly #prefixes = new Map<string, number>();

  constructor(problems: Problems, lines: LineTable) {
    this.#problems = problems;
    this.#reader = new BlockReader(problems, lines);
  }

  map(directives: readonly ConfigDirective[]): Config {
    const reading = this.#reader.read(directives, 'file', []);
    const values = this.#check(fileSchema, reading.raw, directives, 'file', []);
    if (values) this.#checkListeners(directives);
    // Templates first: a stream may stand before the template that it names.
    for (const block of reading.streamBlocks) if (block.name === 'template') this.#mapTemplate(block);
    for (const block of reading.streamBlocks) {
      if (block.name === 'live') this.#mapLive(block);
      else if (block.name === 'stream') this.#mapStream(block);
    }
    return { http: values?.http ?? [], rtmp: values?.rtmp ?? [], streams: this.#streams, lives: this.#lives, templates: this.#templates, kept: reading.kept };
  }

  #mapStream(directive: ConfigDirective): void {
    const name = this.#readName(directive, 'stream');
    if (name === undefined) return;
    const path = ['streams', name];
    const block = directive.block ?? [];
    const own = this.#reader.read(block, 'stream', path);
    const template = this.#templateOf(own, block, path);
    const raw = template ? { ...template.raw, prefixes: undefined, ...own.raw } : own.raw;
    const values = this.#check(streamSchema, raw, block, 'stream', path, directive);
    if (!values) return;
    const kept = template ? mergeKept(template.kept, own.kept) : own.kept;
    const settings = this.#complete(values, kept, directive, path);
    this.#streams.set(name, { name, template: values.template, ...settings });
  }

  #mapTemplate(directive: ConfigDirective): void {
    const name = this.#readName(directive, 'template');
    if (name === undefined) return;
    const path = ['templates', name];
    const block = directive.block ?? [];
    const reading = this.#reader.read(block, 'template', path);
    const values = this.#check(templateSchema, reading.raw, block, 'template', path, directive);
    if (!values) return;
    for (const statement of block) {
      if (DIRECTIVES.template.get(statement.name) !== DIRECTIVES.template.get('prefix')) continue;
      for (const word of wordsOf(statement)) this.#takePrefix(word.value, word.from, [...path, 'prefixes']);
    }
    this.#templateReadings.set(name, reading);
    this.#templates.set(name, this.#makeTemplate(name, values.prefixes, this.#complete(values, reading.kept, directive, path)));
  }

  #mapLive(directive: ConfigDirective): void {
    const name = this.#readName(directive, 'live');
    if (name === undefined) return;
    const path = ['lives', name];
    const block = directive.block ?? [];
    const reading = this.#reader.read(block, 'live', path);
    const values = this.#check(liveSchema, reading.raw, block, 'live', path, directive);
    if (!values) return;
    this.#takePrefix(name, directive.args[0]?.from ?? directive.from, path);
    this.#lives.set(name, this.#makeTemplate(name, [name], this.#complete(values, reading.kept, directive, path)));
  }

  #makeTemplate(name: string, prefixes: readonly string[], settings: StreamSettings): TemplateConfig {
    const takesPublishers = settings.inputs.length === 0 || settings.inputs.some(({ url }) => /^publish:/i.test(url));
    return { name, prefixes, isPublishAllowed: prefixes.length > 0 && takesPublishers, ...settings };
  }

  #templateOf(own: BlockReading, block: readonly ConfigDirective[], path: ConfigPath): BlockReading | undefined {
    const name = own.raw['template'];
    if (typeof name !== 'string') return undefined;
    const reading = this.#templateReadings.get(name);
    // A template with mistakes of its own is reported there.
    if (reading || this.#names.has(`template ${name}`)) return reading;
    const at = block.find((statement) => statement.name === 'template')?.args[0]?.from ?? 0;
    const similar = suggest(name, this.#templateReadings.keys());
    const help = similar === undefined ? '' : `; did you mean ${similar}?`;
    this.#problems.error(at, 'config_bad_value', [...path, 'template'], `There is no template ${name}${help}`, { expected: 'the name of a template', found: name });
    return undefined;
  }

  #readName(directive: ConfigDirective, kind: StreamBlockName): string | undefined {
    const words = wordsOf(directive);
    const [word, extra] = words;
    const collection = COLLECTION[kind];
    if (!word || extra) {
      const at = extra?.from ?? directive.nameTo;
      this.#problems.error(at, 'config_syntax', [collection], `${kind} takes one name and a block`, { expected: word ? '{' : 'a name', found: extra?.value ?? '{' });
      return undefined;
    }
    const checked = nameSchema.safeParse(word.value);
    if (!checked.success) {
      const expected = checked.error.issues[0]?.message ?? 'a name';
      this.#problems.error(word.from, 'config_bad_value', [collection, word.value.slice(0, 80)], `This cannot be a name; expected ${expected}`, { expected, found: word.value });
      return undefined;
    }
    const key = `${kind} ${word.value}`;
    const before = this.#names.get(key);
    if (before !== undefined) {
      this.#problems.error(word.from, 'config_duplicate', [collection, word.value], `There is a ${kind} ${word.value} already, in line ${this.#problems.lineOf(before)}`, { found: word.value });
      return undefined;
    }
    this.#names.set(key, word.from);
    return word.value;
  }

  #takePrefix(prefix: string, at: number, path: ConfigPath): void {
    const before = this.#prefixes.get(prefix);
    if (before === undefined) this.#prefixes.set(prefix, at);
    else this.#problems.error(at, 'config_duplicate', path, `The prefix ${prefix} is taken already, in line ${this.#problems.lineOf(before)}`, { found: prefix });
  }

  #checkListeners(directives: readonly ConfigDirective[]): void {
    const taken = new Map<string, string>();
    const schema = DIRECTIVES.file;
    for (const directive of directives) {
      const known = schema.get(directive.name);
      if (known?.kind !== 'setting') continue;
      for (const [index, word] of wordsOf(directive).entries()) {
        const parsed = fileSchema.safeParse({ [known.key]: [word.value] });
        const listener: Listener | undefined = parsed.success ? (parsed.data.http[0] ?? parsed.data.rtmp[0]) : undefined;
        if (!listener || listener.port === 0) continue;
        const key = `${listener.host ?? '*'}:${listener.port}`;
        const holder = taken.get(key);
        if (holder === undefined) taken.set(key, `${directive.name} in line ${directive.line}`);
        else this.#problems.error(word.from, 'config_duplicate', [known.key, index], `${word.value} is taken by ${holder}`, { found: word.value });
      }
    }
  }

  /** The values of a block, or undefined when there are mistakes, which are then reported where they stand. */
  #check<T>(schema: z.ZodType<T>, raw: unknown, block: readonly ConfigDirective[], blockName: BlockName, path: ConfigPath, owner?: ConfigDirective): T | undefined {
    const result = schema.safeParse(raw);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const place = locateIssue(issue.path, block, blockName, owner?.from ?? 0);
      this.#problems.error(place.at, 'config_bad_value', [...path, ...place.path], `${place.directive} takes ${issue.message}`, { expected: issue.message, found: place.found });
    }
    return undefined;
  }

  #complete(values: WrittenSettings, kept: readonly KeptDirective[], directive: ConfigDirective, path: ConfigPath): StreamSettings {
    const { sourceTimeoutMs, segmentDurationMs, chunkDurationMs } = values;
    if (chunkDurationMs > segmentDurationMs) {
      const blame = directive.block?.find(({ name }) => name === 'chunk_duration') ?? directive.block?.find(({ name }) => name === 'segment_duration') ?? directive;
      const message = `A part may not be longer than its segment: chunk_duration is ${printDuration(chunkDurationMs)}, segment_duration ${printDuration(segmentDurationMs)}`;
      this.#problems.error(blame.args[0]?.from ?? blame.from, 'config_bad_value', [...path, blame === directive ? 'chunk_duration' : blame.name], message);
    }
    const inputs = values.inputs.map((input, index) => ({
      url: input.url,
      priority: input.priority ?? index + 1,
      sourceTimeoutMs: input.sourceTimeoutMs ?? sourceTimeoutMs,
      options: input.options,
    }));
    return {
      inputs,
      title: values.title,
      comment: values.comment,
      position: values.position,
      isDisabled: values.isDisabled,
      isStatic: values.isStatic,
      password: values.password,
      segmentDurationMs,
      chunkDurationMs,
      segmentCount: values.segmentCount,
      sourceTimeoutMs,
      clientsTimeoutMs: values.clientsTimeoutMs,
      retryLimit: values.retryLimit,
      kept,
    };
  }
}

/** What a template keeps goes first; what the stream itself keeps under the same name replaces it. */
function mergeKept(ofTemplate: readonly KeptDirective[], own: readonly KeptDirective[]): readonly KeptDirective[] {
  const names = new Set(own.map(({ name }) => name));
  return [...ofTemplate.filter(({ name }) => !names.has(name)), ...own];
}
