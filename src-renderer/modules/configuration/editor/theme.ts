import { EditorView } from '@codemirror/view';

/** The look of the editor: that of the desk. */
export const EDITOR_THEME = EditorView.theme(
  {
    '&': { height: '100%', backgroundColor: '#0b0e12', color: 'var(--ink)', fontSize: '0.95rem' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
    '.cm-content': { caretColor: '#fff', userSelect: 'text' },
    '.cm-cursor': { borderLeftColor: '#fff', borderLeftWidth: '2px' },
    '.cm-gutters': { backgroundColor: '#0b0e12', color: '#8592a0', border: 'none' },
    '.cm-activeLine': { backgroundColor: '#ffffff0a' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: '#2f5a8a',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--panel-2)',
      color: 'var(--ink)',
      border: '1px solid #46525e',
      borderRadius: '3px',
      maxWidth: 'min(34rem, 90vw)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: '#1d5f8a', color: '#fff' },
    '.cm-completionDetail': { color: 'var(--ink-dim)' },
    '.config-help': { padding: '0.4rem 0.7rem' },
    '.config-help p': { margin: '0.4rem 0 0' },
    '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
    '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
    '.cm-textfield': {
      backgroundColor: 'var(--panel-2)',
      color: 'var(--ink)',
      border: '1px solid #46525e',
      fontSize: '0.95rem',
    },
    '.cm-button': {
      backgroundImage: 'none',
      backgroundColor: 'var(--panel-2)',
      color: 'var(--ink)',
      border: '1px solid #46525e',
    },
    '.cm-panel.cm-search [name=close]': { color: 'var(--ink)' },
    '.cm-searchMatch': { backgroundColor: '#6b5300' },
    '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: '#a86b00' },
    '.cm-foldPlaceholder': { backgroundColor: 'var(--panel-2)', color: 'var(--ink)', border: '1px solid #46525e' },
    '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: '#12371f' },
    '& .cm-deletedChunk': { backgroundColor: '#45161a', userSelect: 'text' },
    '&.cm-merge-b .cm-changedText': { background: '#1f6b39' },
    '& .cm-deletedChunk .cm-deletedText': { background: '#8a2a30' },
    '.cm-collapsedLines': { background: 'var(--panel-2)', color: 'var(--ink-dim)' },
  },
  { dark: true },
);
