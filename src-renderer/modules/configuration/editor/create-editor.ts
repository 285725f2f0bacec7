import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { ConfigWarning } from '../../../../src-preload/contract/index.ts';
import { problemText } from '../../../lib/problem-text.ts';
import { configSupport } from './config-language.ts';
import type { BlockHelp } from '../../../domain/settings/setting-blocks.ts';
import { completions, hoverHelp } from './help.ts';
import { phrases } from './phrases.ts';
import { namedBlocks } from './statement-at.ts';
import { EDITOR_THEME } from './theme.ts';

/** Space that stays visible below the cursor, in pixels. */
const CURSOR_MARGIN_PX = 48;

/** Options of an editor. */
export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly help: () => BlockHelp;
  /** Called after a change by the operator or the desk. */
  readonly changed: (text: string) => void;
  /** Called after a move of the cursor, or a change of the text around it. */
  readonly moved: (state: EditorState) => void;
}

/** Line separator of a text, so that the editor returns it unchanged; `\n` if the text mixes several. */
function lineSeparatorOf(text: string): string {
  return /(^|[^\r])\n|\r(?!\n)/.test(text) ? '\n' : text.includes('\r\n') ? '\r\n' : '\n';
}

/** Editor of the configuration text. */
export class ConfigTextEditor {
  readonly #view: EditorView;
  readonly #readOnly = new Compartment();
  readonly #options: EditorOptions;
  #separator: string;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#separator = lineSeparatorOf(options.text);
    this.#view = new EditorView({ parent: options.parent, state: this.#stateOf(options.text, options.isReadOnly) });
    options.moved(this.#view.state);
  }

  /** Text with its original line breaks. */
  get text(): string {
    return this.#view.state.sliceDoc();
  }

  /** Replaces the text. Only differences are changed, so that cursor and folds stay and the change can be undone. */
  setText(text: string): void {
    const before = this.text;
    if (text === before) return;
    if (lineSeparatorOf(text) !== this.#separator && text !== '') {
      this.#separator = lineSeparatorOf(text);
      this.#view.setState(this.#stateOf(text, this.#view.state.readOnly));
      this.#options.moved(this.#view.state);
      return;
    }
    const doc = this.#view.state.toText(text);
    this.#view.dispatch({ changes: differenceOf(this.#view.state.doc, doc) });
  }

  setReadOnly(isReadOnly: boolean): void {
    this.#view.dispatch({ effects: this.#readOnly.reconfigure(readOnly(isReadOnly)) });
  }

  /** Marks the errors and warnings that the server found. */
  setProblems(errors: readonly ConfigWarning[], warnings: readonly ConfigWarning[]): void {
    const { doc } = this.#view.state;
    const marks = [
      ...errors.map((error) => diagnosticOf(doc, error, 'error')),
      ...warnings.map((warning) => diagnosticOf(doc, warning, 'warning')),
    ];
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Scrolls to the cursor while the editor has the focus: the list of errors below may cover the line being typed. */
  showCursor(): void {
    if (!this.#view.hasFocus) return;
    const { head } = this.#view.state.selection.main;
    this.#view.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'nearest', yMargin: CURSOR_MARGIN_PX }) });
  }

  /** Replaces the name at a position by another one; `@` and the scheme of an address stay. */
  correct(line: number, column: number, name: string): void {
    const from = offsetOf(this.#view.state.doc, line, column);
    const { text, from: start } = this.#view.state.doc.lineAt(from);
    const [, kept = '', wrong = ''] = /^"?(@|[a-z]+:\/\/)?([^\s;{}"]*)/.exec(text.slice(from - start)) ?? [];
    const at = from + text.slice(from - start).indexOf(kept + wrong) + kept.length;
    this.#view.dispatch({ changes: { from: at, to: at + wrong.length, insert: name } });
    this.#view.focus();
  }

  /** Moves the cursor, and scrolls to it. */
  goTo(line: number, column: number): void {
    const at = offsetOf(this.#view.state.doc, line, column);
    this.#view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.#view.focus();
  }

  /** Moves the cursor after the name of a stream; does nothing if the text has no such stream. */
  goToStream(name: string): void {
    const { state } = this.#view;
    const found = namedBlocks(state).find((block) => block.kind === 'stream' && block.name === name);
    if (!found) return;
    const line = state.doc.lineAt(found.from);
    this.goTo(line.number, line.text.indexOf('{') + 2 || line.length + 1);
  }

  openSearch(): void {
    openSearchPanel(this.#view);
  }

  close(): void {
    this.#view.destroy();
  }

  #stateOf(text: string, isReadOnly: boolean): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        EditorState.lineSeparator.of(this.#separator),
        ...editing(this.#options),
        this.#readOnly.of(readOnly(isReadOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.#options.changed(this.text);
          if (update.docChanged || update.selectionSet) this.#options.moved(update.state);
        }),
      ],
    });
  }
}

function editing({ label, help }: EditorOptions): Extension[] {
  return [
    lineNumbers(),
    foldGutter(),
    codeFolding(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightSpecialChars(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    search({ top: true }),
    autocompletion({ override: [completions(help)], icons: false }),
    hoverHelp(help),
    configSupport,
    EDITOR_THEME,
    phrases(),
    EditorView.lineWrapping,
    // The tabindex states that the keyboard scrolls the text; an editable element is focusable anyway.
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    // Tab moves the focus, as everywhere in the desk.
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
    ]),
  ];
}

function readOnly(isReadOnly: boolean): Extension {
  return EditorState.readOnly.of(isReadOnly);
}

/** Smallest replacement that turns one text into another. */
function differenceOf(before: Text, after: Text): { from: number; to: number; insert: Text } {
  const [a, b] = [before.toString(), after.toString()];
  let head = 0;
  while (head < a.length && head < b.length && a.charCodeAt(head) === b.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < Math.min(a.length, b.length) - head &&
    a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)
  )
    tail++;
  return { from: head, to: a.length - tail, insert: after.slice(head, b.length - tail) };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + column - 1, found.to);
}

function diagnosticOf(doc: Text, problem: ConfigWarning, severity: 'error' | 'warning'): Diagnostic {
  const from = offsetOf(doc, problem.line, problem.column);
  const rest = doc.lineAt(from).text.slice(from - doc.lineAt(from).from);
  const length = /^("[^"]*"?|[^\s;{}]+|.)?/.exec(rest)?.[0].length ?? 0;
  return { from, to: from + length, severity, message: problemText(problem) };
}
