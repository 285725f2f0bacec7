import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../src-preload/contract/index.ts';
import { ConfigDocument } from '../config/document.ts';
import { configCalls } from './configuration-calls.ts';
import { forCaller } from '../../tests/helpers/for-caller.ts';
import type { Configuration } from './configuration.ts';
import { parseSuccessor } from './changed-document.ts';

const TEXT = `http 8080; # the desk
stream gate {
  # behind the trees
  input rtsp://admin:pw@192.0.2.9/ch1  transport=tcp;
  password s3cret;
}
`;
const CALLER = { mayRead: true, mayWrite: true, who: 'tester', address: '' };

const applied: unknown[] = [];
const document = ConfigDocument.parse(TEXT);
// Part of the configuration that these calls use.
const configuration = {
  document,
  config: document.config,
  versionId: 3,
  revision: [7, 2],
  isOnDisk: true,
  isFileNewer: false,
  error: null,
  pending: null,
  versions: { document: () => Promise.resolve(document) },
  changes: {
    validate: (text: string) => parseSuccessor(document, text),
    replace: async (text: string, _by: object, { check, ...options }: { check?: () => void }) => {
      check?.();
      applied.push([text, options]);
      return { document };
    },
  },
} as unknown as Configuration;
const calls = forCaller(
  configCalls(configuration, () => ({ viewers: 3, hasPublisher: false })),
  CALLER,
);
const shown = async (): Promise<string> => (await calls['config.text']({})).text;
type Edit = CallInput<'config.edit_text'>['edits'][number];
const edit = async (text: string, edits: Partial<Edit>[]): ReturnType<(typeof calls)['config.edit_text']> =>
  calls['config.edit_text']({
    text,
    edits: edits.map((one) => ({
      block: 'stream',
      name: 'gate',
      directive: 'title',
      index: 0,
      words: [],
      ...one,
    })),
  });

describe('the text in the configuration editor of the desk', () => {
  it('has masked secrets and the revision of the configuration', async () => {
    const reply = await calls['config.text']({});
    expect(reply).toMatchObject({ revision: '7.2', version: 3 });
    expect(reply.text).toContain('# behind the trees');
    expect(reply.text).not.toMatch(/s3cret|pw@/);
    expect(await calls['config.version_text']({ id: 1 })).toEqual({ text: reply.text });
  });

  it('is checked with the secrets in place of their masks', async () => {
    const text = await shown();
    expect(await calls['config.check']({ text })).toMatchObject({ errors: [], impact: { restarted: { count: 0 } } });
    const moved = text.replace('192.0.2.9', '192.0.2.10');
    expect((await calls['config.check']({ text: moved })).errors).toMatchObject([
      { line: 4, code: 'config_bad_value' },
    ]);
    const other = text.replace('tcp', 'udp');
    expect((await calls['config.check']({ text: other })).impact).toMatchObject({
      restarted: { count: 1, names: ['gate'] },
      viewers: 3,
    });
  });

  it('has a warning for an unknown storage, with a similar name', async () => {
    const text = 'http 8080;\ndvr main { root /srv/rec; }\nstream x { input fake://; dvr @mian 2d; }\n';
    expect(await calls['config.check']({ text })).toMatchObject({
      errors: [],
      warnings: [
        { line: 3, column: 31, code: 'config_unknown_name', message: 'There is no dvr mian; did you mean main?' },
      ],
    });
  });

  it('has at most 100 errors with their positions, and warnings for settings without effect', async () => {
    expect(await calls['config.check']({ text: 'http 8080;\nstrem x { }\n' })).toMatchObject({
      errors: [{ line: 2, column: 1, code: 'config_unknown_directive' }],
      impact: null,
    });
    expect((await calls['config.check']({ text: 'x;\n'.repeat(5000) })).errors).toHaveLength(100);
    const { warnings } = await calls['config.check']({ text: 'http 8080;\nsrt 9998;\n' });
    expect(warnings).toMatchObject([{ line: 2, code: 'config_not_effective' }]);
    expect(await calls['config.check']({ text: '' })).toMatchObject({ errors: [], impact: { removed: { count: 1 } } });
  });

  it('is edited by directives; every other byte is unchanged, including masks', async () => {
    const text = await shown();
    const { text: titled } = await edit(text, [{ words: ['The gate'] }]);
    expect(titled).toBe(
      text
        .replace('password', 'title "The gate";\n  password')
        .replace(/title.*\n {2}(password.*\n)/, '$1  title "The gate";\n'),
    );
    expect((await edit(titled, [{ words: null }])).text).toBe(text);
    const options = { transport: 'udp' };
    const input = await edit(text, [{ directive: 'input', words: ['fake://'], options }]);
    expect(input.text).toContain('  input fake://  transport=udp;');
  });

  it('is not changed by an invalid edit, but by valid ones even if the text has another error', async () => {
    const wrong = (await shown()).replace('http 8080', 'http eighty');
    const reply = await edit(wrong, [{ directive: 'segment_duration', words: ['never'] }]);
    expect(reply).toMatchObject({ text: wrong, errors: [{ code: 'config_bad_value' }] });
    expect((await edit(wrong, [{ words: ['Gate'] }])).text).toContain('title Gate;');
    expect((await edit(wrong, [{ name: 'none', words: ['Gate'] }])).errors).toMatchObject([
      { code: 'stream_not_found' },
    ]);
    expect((await edit('stream gate {', [{ words: ['Gate'] }])).errors.length).toBeGreaterThan(0);
  });

  it('is applied only to the current revision', async () => {
    const text = await shown();
    const late = calls['config.apply']({ text, revision: '7.1' });
    await expect(late).rejects.toMatchObject({ code: 'config_changed_since' });
    expect(applied).toEqual([]);
    await calls['config.apply']({ text, revision: '7.2', confirm_within: 60 });
    expect(applied).toEqual([[text, { confirmWithinMs: 60_000 }]]);
  });
});
