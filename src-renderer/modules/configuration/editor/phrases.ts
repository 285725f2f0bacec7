import { EditorState, type Extension } from '@codemirror/state';
import { PHRASES } from '../texts.ts';

/** The editor's own words, in the language of the desk. */
export function phrases(): Extension {
  return EditorState.phrases.of({ ...PHRASES });
}
