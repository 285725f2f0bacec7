import { EditorState, type Extension } from '@codemirror/state';
import { PHRASES } from './texts.ts';

/** Texts of the editor component in the language of the desk. */
export function phrases(): Extension {
  return EditorState.phrases.of({ ...PHRASES });
}
