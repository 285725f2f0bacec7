import { EditorState } from '@codemirror/state';
import { expect, it, vi } from 'vitest';
import { configSupport } from './config-language.ts';
import { namedBlocks, statementAt } from './statement-at.ts';

/** The editor parses the first 3000 characters at once, and the rest later. */
const STREAMS = 1000;

it('statementAt and blocksOf find every block of a long text', async () => {
  const doc = Array.from({ length: STREAMS }, (_, at) => `stream cam${at} {\n  title "Camera ${at}";\n}\n`).join('');
  const opened = (): EditorState => EditorState.create({ doc, extensions: configSupport });
  const last = `cam${STREAMS - 1}`;
  // Each call continues the parse for half a second; on a busy machine the first may not reach the end.
  const [opening, listed] = [opened(), opened()];
  await vi.waitFor(() => {
    expect(statementAt(opening, doc.length - 4)).toMatchObject({ blocks: [{ kind: 'stream', name: last }] });
  }, 30_000);
  await vi.waitFor(() => {
    const blocks = namedBlocks(listed);
    expect([blocks.length, blocks.at(-1)?.name]).toEqual([STREAMS, last]);
  }, 30_000);
});
