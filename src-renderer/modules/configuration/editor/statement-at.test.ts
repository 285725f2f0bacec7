import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { configSupport } from './config-language.ts';
import { namedBlocks, statementAt } from './statement-at.ts';

/** The editor parses the first 3000 characters at once, and the rest later. */
const STREAMS = 1000;

it('knows every block of a long text, down to its last one', () => {
  const doc = Array.from({ length: STREAMS }, (_, at) => `stream cam${at} {\n  title "Camera ${at}";\n}\n`).join('');
  const opened = (): EditorState => EditorState.create({ doc, extensions: configSupport });
  const last = `cam${STREAMS - 1}`;
  expect(statementAt(opened(), doc.length - 4)).toMatchObject({ blocks: [{ kind: 'stream', name: last }] });
  const blocks = namedBlocks(opened());
  expect([blocks.length, blocks.at(-1)?.name]).toEqual([STREAMS, last]);
});
