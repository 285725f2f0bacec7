import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { isOptionKey, printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { changeValues, printDirective, type NewDirective } from './directive-edit.ts';
import { DIRECTIVES, type KnownDirective } from '../schema/directives.ts';
import { ConfigDocument } from '../document.ts';
import { Draft, type NewBlock, type StatementRef } from './draft.ts';
import { EditProblem } from './edit-problem.ts';
import { inheritedTemplate } from './inherited-template.ts';
import type { ConfigError, ConfigPath } from '../parse/problem.ts';
import { hasOptions } from '../parse/read-record.ts';
import { formExpectedBy, nameSchema } from '../schema/value-schema.ts';

/** Blocks that can be edited; `stream` by default. */
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
  /** Gives the directive these values: the one at `index`, counted from 0. Adds a directive if there is none at `index`. */
  | (BlockEdit & { readonly edit: 'setStreamDirective'; readonly directive: NewDirective; readonly index?: number })
  /** Removes all directives of this name, or only the one at `index`. A missing directive is ignored. */
  | (BlockEdit & { readonly edit: 'removeStreamDirective'; readonly directive: string; readonly index?: number });

export interface EditResult {
  /** New document; the old one if the edits were refused. */
  readonly document: ConfigDocument;
  /** Reasons of a refusal; empty on success. */
  readonly errors: readonly ConfigError[];
  /** Whether an edit itself was impossible. Otherwise `errors` are mistakes in the resulting text. */
  readonly isRefused?: boolean;
}

/**
 * Applies edits to a draft, in order and in steps. An edit sees the effect of earlier edits on the same block. Blocks with one
 * edit each are written together.
 * @param config configuration of the text
 */
export function* makeEdits(
  draft: Draft,
  edits: readonly ConfigEdit[],
  config: ConfigDocument['config'],
): Generator<void, void> {
  /** Blocks with edits that are not settled, including added blocks. */
  const edited = new Set<string>();
  let hasAdded = false;
  for (const edit of edits) {
    const key = `${edit.block ?? 'stream'} ${edit.name}`;
    const isAdded = edit.edit === 'addStream';
    try {
      if (isAdded || hasAdded || edited.has(key)) {
        yield* draft.settle();
        edited.clear();
      }
      edited.add(key);
      hasAdded = isAdded;
      yield* draft.indexInSteps();
      makeEdit(draft, edit, config);
      yield;
    } catch (cause) {
      if (!(cause instanceof EditProblem)) throw cause;
      throw new EditProblem(
        cause.reason,
        [`${edit.block ?? 'stream'}s`, edit.name.slice(0, 200)],
        cause.code,
        cause.at,
      );
    }
  }
}

/** Changes a draft in steps; raises `EditProblem`. */
export type DraftEdit = (draft: Draft) => Generator<void, void>;

/**
 * Edits a configuration text in steps, so that the thread stays free. Only edited lines are rewritten; everything else stays byte
 * for byte. All edits are applied or none: a text with syntax errors is not edited, and no edit may introduce a mistake.
 */
export function* editDraftInSteps(document: ConfigDocument, edit: DraftEdit): Generator<void, EditResult> {
  if (!document.textBlocks) return { document, errors: document.errors };
  const draft = new Draft(document.textBlocks);
  let text: string;
  try {
    yield* draft.indexInSteps();
    yield* edit(draft);
    yield;
    yield* draft.settle();
    yield;
    text = draft.text;
  } catch (cause) {
    if (!(cause instanceof EditProblem)) throw cause;
    const position = cause.at ? draft.positionAt(cause.at.piece, cause.at.offset) : { line: 1, column: 1 };
    const error = {
      code: cause.code,
      message: cause.message,
      explanation: cause.reason.explanation,
      ...position,
      path: cause.path ?? [],
    };
    return { document, errors: [error], isRefused: true };
  }
  yield;
  return judge(document, yield* ConfigDocument.parseInSteps(text, document));
}

function judge(before: ConfigDocument, after: ConfigDocument): EditResult {
  const errors = newErrors(before.errors, after.errors);
  return errors.length > 0 ? { document: before, errors } : { document: after, errors: [] };
}

/** Mistakes that only the new text has. */
function newErrors(before: readonly ConfigError[], errors: readonly ConfigError[]): readonly ConfigError[] {
  if (errors.length === 0) return [];
  const known = new Map<string, number>();
  for (const error of before) known.set(keyOf(error), (known.get(keyOf(error)) ?? 0) + 1);
  return errors.filter((error) => {
    const left = known.get(keyOf(error)) ?? 0;
    known.set(keyOf(error), left - 1);
    return left <= 0;
  });
}

function keyOf({ code, path }: ConfigError): string {
  return JSON.stringify([code, path]);
}

function makeEdit(draft: Draft, edit: ConfigEdit, config: ConfigDocument['config']): void {
  const kind = edit.block ?? 'stream';
  const found = draft.find(kind, edit.name);
  if (edit.edit === 'addStream') {
    if (found)
      throw new EditProblem(
        because('name_exists', { kind, name: edit.name }),
        undefined,
        'stream_exists',
        placeOf(found),
      );
    addStreamBlock(draft, kind, edit.name, edit.directives, { config });
    return;
  }
  if (!found)
    throw new EditProblem(
      because('name_missing_in_configuration', { kind, name: edit.name }),
      undefined,
      'stream_not_found',
    );
  switch (edit.edit) {
    case 'removeStream':
      draft.removeBlock(found);
      return;
    case 'setStreamDirective':
      setDirective(draft, found, kind, edit.directive, edit.index ?? 0);
      return;
    case 'removeStreamDirective': {
      const same = sameDirectives(found.directive, kind, knownDirective(kind, edit.directive));
      const targets = edit.index === undefined ? same : same.slice(edit.index, edit.index + 1);
      for (const directive of targets) draft.remove({ ...found, directive });
    }
  }
}

/** Name of an added block, and the settings for that name. */
interface AddedBlock {
  readonly path?: ConfigPath;
  /**
   * Configuration in which the template or live prefix is found that an added stream inherits by its name, unless the stream
   * names a template. If absent, the stream inherits nothing.
   */
  readonly config?: ConfigDocument['config'];
}

/** Adds a stream, a live prefix or a template with some directives. */
export function addStreamBlock(
  draft: Draft,
  kind: EditedBlock,
  name: string,
  directives: readonly NewDirective[],
  { path, config }: AddedBlock = {},
): NewBlock {
  const checked = nameSchema.safeParse(name);
  if (!checked.success)
    throw new EditProblem(
      because('name_of_kind_invalid', { kind, expected: formExpectedBy(checked.error) }),
      path,
      'bad_stream_name',
    );
  const isOwn = kind !== 'stream' || !config || directives.some((directive) => directive.name === 'template');
  const written = isOwn ? directives : [...inheritedTemplate(config, name), ...directives];
  for (const directive of written) checkDirective(kind, directive);
  const known = DIRECTIVES.file.get(kind);
  if (!known) throw new Error(`There is no directive ${kind}`);
  return addBlock(draft, known, `${kind} ${printWord(name)}`, written.map(printDirective));
}

/** Adds a block after the last one of its kind, or at the end of the text. @param head text before the brace */
export function addBlock(draft: Draft, known: KnownDirective, head: string, statements: string[] = []): NewBlock {
  const block = { head, statements };
  draft.addBlock(known, block);
  return block;
}

function setDirective(
  draft: Draft,
  owner: StatementRef,
  kind: EditedBlock,
  directive: NewDirective,
  index: number,
): void {
  const known = checkDirective(kind, directive);
  const same = sameDirectives(owner.directive, kind, known);
  const target = same[index];
  if (!target) draft.insertInto(owner, printDirective(directive), same.at(-1));
  else if (target.block)
    throw new EditProblem(because('directive_has_block', { name: directive.name }), undefined, 'config_bad_value', {
      piece: owner.piece,
      offset: target.from,
    });
  else draft.change(owner, changeValues(owner.text, target, directive, takesOptions(known)));
}

function sameDirectives(owner: ConfigDirective, kind: EditedBlock, known: KnownDirective): readonly ConfigDirective[] {
  return (owner.block ?? []).filter(({ name }) => DIRECTIVES[kind].get(name) === known);
}

function knownDirective(kind: EditedBlock, name: string): KnownDirective {
  const known = DIRECTIVES[kind].get(name);
  if (!known)
    throw new EditProblem(
      because('directive_unknown', { name: name.slice(0, 80), block: kind }),
      undefined,
      'config_unknown_directive',
    );
  return known;
}

function checkDirective(kind: EditedBlock, directive: NewDirective): KnownDirective {
  const known = knownDirective(kind, directive.name);
  const keys = Object.keys(directive.options ?? {});
  const bad = keys.find((key) => !isOptionKey(key));
  if (bad !== undefined) throw new EditProblem(because('option_name_invalid', { option: bad.slice(0, 80) }));
  if (keys.length > 0 && !takesOptions(known))
    throw new EditProblem(because('directive_no_options', { name: directive.name }));
  return known;
}

/** Whether a directive may have options. If not, `a=b` is an ordinary word. */
export function takesOptions(known: KnownDirective): boolean {
  return known.kind === 'free-form' || (known.kind === 'setting' && hasOptions(known.entry.fields ?? {}));
}

function placeOf({ piece, directive }: StatementRef): { readonly piece: number; readonly offset: number } {
  return { piece, offset: directive.from };
}
