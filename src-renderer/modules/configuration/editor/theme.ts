import { EditorView } from '@codemirror/view';

/** Theme of the editor, with the colours of the desk. */
export const EDITOR_THEME = EditorView.theme(
  {
    '&': { height: '100%', backgroundColor: 'var(--field)', color: 'var(--ink)', fontSize: '0.95rem' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
    '.cm-content': { caretColor: 'var(--selected)', userSelect: 'text' },
    '.cm-cursor': { borderLeftColor: 'var(--selected)', borderLeftWidth: '2px' },
    '.cm-gutters': { backgroundColor: 'var(--field)', color: 'var(--ink-dim)', border: 'none' },
    '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 5%, transparent)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--marked)',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--panel-2)',
      color: 'var(--ink)',
      border: '1px solid var(--edge)',
      borderRadius: '3px',
      maxWidth: 'min(34rem, 90vw)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--marked)', color: 'var(--ink)' },
    '.cm-completionDetail': { color: 'var(--ink-dim)' },
    '.config-help': { padding: '0.4rem 0.7rem' },
    '.config-help p': { margin: '0.4rem 0 0', whiteSpace: 'pre-line' },
    '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
    '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
    '.cm-textfield': {
      backgroundColor: 'var(--panel-2)',
      color: 'var(--ink)',
      border: '1px solid var(--edge)',
      fontSize: '0.95rem',
    },
    '.cm-button': {
      backgroundImage: 'none',
      backgroundColor: 'var(--panel-2)',
      color: 'var(--ink)',
      border: '1px solid var(--edge)',
    },
    '.cm-panel.cm-search [name=close]': { color: 'var(--ink)' },
    '.cm-searchMatch': { backgroundColor: 'var(--found)' },
    '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--found-now)' },
    '.cm-foldPlaceholder': { backgroundColor: 'var(--panel-2)', color: 'var(--ink)', border: '1px solid var(--edge)' },
    '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--added)' },
    '& .cm-deletedChunk': { backgroundColor: 'var(--removed)', userSelect: 'text' },
    '&.cm-merge-b .cm-changedText': { background: 'var(--added-text)' },
    '& .cm-deletedChunk .cm-deletedText': { background: 'var(--removed-text)' },
    '.cm-collapsedLines': { background: 'var(--panel-2)', color: 'var(--ink-dim)' },
    // Few fonts contain the default character of the editor.
    '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"⋯"' },
  },
  { dark: true },
);
