import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { systemClock } from '../lib/clock.ts';
import { FileTurns } from '../lib/file-turns.ts';
import { VodUploads, type UploadRequest } from './vod-uploads.ts';

let base: string;
let root: string;
let clock: FakeClock;
let uploads: VodUploads;
const REQUESTED: UploadRequest = { location: 'ads', folder: '', name: 'a.mp4', sizeBytes: 6, mayReplace: false };

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'airdesk-uploads-'));
  root = join(base, 'ads');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(base, 'second', 'other'), { recursive: true });
  symlinkSync(base, join(root, 'out'));
  clock = new FakeClock(Date.now());
  const location = { prefix: 'ads', roots: [root, join(base, 'second')], segmentMs: 1000 };
  uploads = new VodUploads({
    clock,
    files: new FileTurns({ clock: systemClock, limit: 2 }),
    locations: () =>
      new Map([
        ['ads', location],
        ['far', { ...location, prefix: 'far', roots: [] }],
      ]),
  });
});
afterEach(() => rmSync(base, { recursive: true }));

const body = (...pieces: string[]): Readable => Readable.from(pieces.map((piece) => Buffer.from(piece)));
async function send(request: Partial<UploadRequest>, sent: Readable): Promise<void> {
  await uploads.receive(await uploads.announce({ ...REQUESTED, ...request }), sent);
}
const all = (): string[] => readdirSync(root).sort();

describe('a file upload', () => {
  it('renames the file when it is complete, in the requested folder', async () => {
    const ticket = await uploads.announce({ ...REQUESTED, folder: 'sub' });
    const sent = new Readable({ read: () => undefined });
    const received = uploads.receive(ticket, sent);
    sent.push('abc');
    sent.push('def');
    expect(existsSync(join(root, 'sub', 'a.mp4'))).toBe(false);
    sent.push(null);
    await received;
    expect(readFileSync(join(root, 'sub', 'a.mp4'), 'utf8')).toBe('abcdef');
    await send({ folder: 'other', name: 'empty', sizeBytes: 0 }, body());
    expect(readFileSync(join(base, 'second', 'other', 'empty'), 'utf8')).toBe('');
  });

  it('replaces another file only if requested', async () => {
    await send({}, body('abcdef'));
    await expect(uploads.announce(REQUESTED)).rejects.toMatchObject({ code: 'vod_file_exists' });
    await expect(uploads.announce({ ...REQUESTED, name: 'sub', mayReplace: true })).rejects.toMatchObject({
      code: 'vod_file_exists',
    });
    await send({ mayReplace: true }, body('ABC', 'DEF'));
    expect(readFileSync(join(root, 'a.mp4'), 'utf8')).toBe('ABCDEF');
    const ticket = await uploads.announce({ ...REQUESTED, name: 'b.mp4' });
    writeFileSync(join(root, 'b.mp4'), 'came meanwhile');
    await expect(uploads.receive(ticket, body('abcdef'))).rejects.toMatchObject({ code: 'vod_file_exists' });
    expect([readFileSync(join(root, 'b.mp4'), 'utf8'), all()]).toEqual([
      'came meanwhile',
      ['a.mp4', 'b.mp4', 'out', 'sub'],
    ]);
  });

  it('can have an unknown length, and a chosen folder of the location', async () => {
    const request = { ...REQUESTED, name: 'open', sizeBytes: undefined };
    expect(await uploads.put(request, body('abc', 'd'))).toEqual({ sizeBytes: 4, hasReplaced: false });
    expect(await uploads.put({ ...request, mayReplace: true }, body('ab'))).toEqual({
      sizeBytes: 2,
      hasReplaced: true,
    });
    const second = join(base, 'second');
    await uploads.put({ ...request, root: second }, body('abc'));
    expect([root, second].map((path) => readFileSync(join(path, 'open'), 'utf8'))).toEqual(['ab', 'abc']);
    await uploads.remove('ads/open', { location: 'ads', root: second });
    expect([root, second].map((path) => existsSync(join(path, 'open')))).toEqual([true, false]);
    await expect(uploads.put({ ...request, root: base }, body('abc'))).rejects.toMatchObject({
      code: 'vod_not_found',
    });
  });

  it('is refused while sixteen uploads are running, and accepted after one has ended', async () => {
    const sent = Array.from({ length: 16 }, () => new Readable({ read: () => undefined }));
    const puts = sent.map(async (one, index) => uploads.put({ ...REQUESTED, name: `${index}` }, one));
    await expect(uploads.put(REQUESTED, body('abcdef'))).rejects.toMatchObject({ code: 'vod_uploads_full' });
    for (const one of sent) {
      one.push('abcdef');
      one.push(null);
    }
    await Promise.all(puts);
    expect(await uploads.put(REQUESTED, body('abcdef'))).toMatchObject({ sizeBytes: 6 });
  });

  it.each([
    ['too short', body('abc')],
    ['too long', body('abc', 'defg')],
    [
      'cut off',
      Readable.from(
        (function* () {
          yield Buffer.from('abc');
          throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
        })(),
      ),
    ],
  ])('leaves no file if it is %s', async (_what, sent) => {
    await expect(send({}, sent)).rejects.toMatchObject({ code: 'vod_upload_broken' });
    expect(all()).toEqual(['out', 'sub']);
  });

  it('leaves no file if the sender stalls', async () => {
    const ticket = await uploads.announce(REQUESTED);
    const sent = new Readable({ read: () => undefined });
    sent.push('abc');
    const received = uploads.receive(ticket, sent);
    received.catch(() => undefined);
    while (!sent.destroyed) {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect(received).rejects.toMatchObject({ code: 'vod_upload_broken' });
    expect(all()).toEqual(['out', 'sub']);
  });

  it('must be announced, start soon, and start once', async () => {
    const ticket = await uploads.announce(REQUESTED);
    await uploads.receive(ticket, body('abcdef'));
    await expect(uploads.receive(ticket, body('abcdef'))).rejects.toMatchObject({ code: 'vod_upload_not_found' });
    const late = await uploads.announce({ ...REQUESTED, name: 'late' });
    clock.advance(31_000);
    await expect(uploads.receive(late, body('abcdef'))).rejects.toMatchObject({ code: 'vod_upload_not_found' });
    for (let count = 0; count < 16; count++) await uploads.announce({ ...REQUESTED, name: `${count}` });
    await expect(uploads.announce({ ...REQUESTED, name: 'one more' })).rejects.toMatchObject({
      code: 'vod_uploads_full',
    });
  });

  it.each([
    [{ name: '../a' }, 'bad_value'],
    [{ name: '.hidden' }, 'bad_value'],
    [{ name: 'con.mp4' }, 'bad_value'],
    [{ name: 'a\u2028b' }, 'bad_value'],
    [{ name: 'film.' }, 'bad_value'],
    [{ name: 'a\nb' }, 'bad_value'],
    [{ name: 'a.mp4.tmp' }, 'bad_value'],
    [{ name: 'é'.repeat(101) }, 'bad_value'],
    [{ name: 'x'.repeat(200_000) }, 'bad_value'],
    [{ sizeBytes: 1e12 }, 'bad_value'],
    [{ sizeBytes: 99e9 }, 'vod_no_room'],
    [{ location: 'none' }, 'vod_not_found'],
    [{ location: 'far' }, 'vod_not_found'],
    [{ folder: '..' }, 'vod_path_not_found'],
    [{ folder: 'none' }, 'vod_path_not_found'],
    [{ folder: 'out' }, 'vod_path_not_found'],
  ])('is refused for %j', async (change, code) => {
    await expect(uploads.announce({ ...REQUESTED, ...change })).rejects.toMatchObject({ code });
  });

  it('never writes outside the location', async () => {
    const text = fc.oneof(fc.constantFrom('..', '.', 'sub', 'out', '/', '\\', '\0', 'a'), fc.string({ maxLength: 5 }));
    const path = fc.array(text, { maxLength: 4 }).map((steps) => steps.join('/'));
    const before = readdirSync(base).sort();
    await fc.assert(
      fc.asyncProperty(path, text, async (folder, name) => {
        await send({ folder, name, mayReplace: true }, body('abcdef')).catch(() => undefined);
        await uploads.remove(`ads/${folder}/${name}`).catch(() => undefined);
        expect(readdirSync(base).sort()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  it('removes old temporary files of a killed server', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(root, `.airdesk-upload-${name}`));
    for (const path of [old, young]) writeFileSync(path ?? '', '');
    utimesSync(old ?? '', 0, 0);
    await uploads.announce(REQUESTED);
    expect(all()).toEqual(['.airdesk-upload-young', 'out', 'sub']);
  });
});

describe('the removal of a file', () => {
  it('is limited to files in the location, without folders', async () => {
    await send({ folder: 'sub' }, body('abcdef'));
    await uploads.remove('ads/sub/a.mp4');
    expect(readdirSync(join(root, 'sub'))).toEqual([]);
    writeFileSync(join(base, 'kept'), '');
    for (const [path, code] of [
      ['ads/sub/a.mp4', 'vod_file_not_found'],
      ['ads/sub', 'bad_value'],
      ['ads/../kept', 'vod_file_not_found'],
      ['ads/out/kept', 'vod_file_not_found'],
      ['none/a', 'vod_file_not_found'],
      ['', 'vod_file_not_found'],
    ] as const)
      await expect(uploads.remove(path), path).rejects.toMatchObject({ code });
    expect(existsSync(join(base, 'kept'))).toBe(true);
  });
});
