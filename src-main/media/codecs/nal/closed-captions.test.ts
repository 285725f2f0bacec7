import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { madeBytes } from '../../../../tests/helpers/made-media.ts';
import { captionErasure } from './closed-captions.ts';
import { splitAnnexB } from './annexb.ts';

// Line 21 captions as displayed by an independent decoder.

const FPS = 25;
const ERASED_AT = 30;
/** Resume Caption Loading, a row, "SO LONG", and End Of Caption (CEA-608 tables 50 to 53), with odd parity. */
const SHOWN = ['9420', '9420', '9470', '9470', 'd34f', '204c', '4fce', 'c780', '942f', '942f'].map((pair) =>
  Buffer.from(pair, 'hex'),
);

/** An SEI unit with two caption bytes of the first field. */
function captionUnit(pair: Buffer): Buffer {
  const payload = Buffer.from([0xb5, 0, 0x31, ...Buffer.from('GA94'), 3, 0x41, 0xff, 0xfc, ...pair, 0xff]);
  return Buffer.from([6, 4, payload.length, ...payload, 0x80]);
}

/**
 * End time and text of the displayed caption, as ffmpeg writes them in SRT.
 *
 * @param isErased whether picture 30 of 50 erases the caption
 */
function shownCaption(isErased: boolean): readonly string[] {
  const options = 'aud=1:keyint=25:min-keyint=25:scenecut=0:bframes=0';
  const source = ['-f', 'lavfi', '-i', `color=size=64x48:rate=${FPS}:duration=2`];
  const pictures = madeBytes([
    ...source,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-x264-params',
    options,
    '-f',
    'h264',
  ]);
  let picture = -1;
  const units = splitAnnexB(pictures).flatMap((unit) => {
    const type = (unit[0] ?? 0) & 31;
    if (type === 9) picture++;
    if (type !== 1 && type !== 5) return [unit];
    const erasure = isErased && picture === ERASED_AT ? [Buffer.from(captionErasure('h264', 4)).subarray(4)] : [];
    return [...erasure, captionUnit(SHOWN[picture] ?? Buffer.from('8080', 'hex')), unit];
  });
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-captions-'));
  try {
    writeFileSync(join(folder, 'all.h264'), Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit])));
    const timed = ['-v', 'error', '-r', String(FPS), '-i', 'all.h264', '-c', 'copy', 'all.mkv'];
    execFileSync('ffmpeg', timed, { cwd: folder });
    const read = ['-v', 'error', '-f', 'lavfi', '-i', 'movie=all.mkv[out0+subcc]', '-map', 's', '-f', 'srt', '-'];
    return /(?<=--> ).*|SO LONG/g[Symbol.match](execFileSync('ffmpeg', read, { cwd: folder, encoding: 'utf8' })) ?? [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('captionErasure removes a caption that would stay on the screen', () => {
  const [end = '', text] = shownCaption(true);
  expect([end, text]).toEqual(['00:00:01,200', 'SO LONG']);
  expect(shownCaption(false)[0]).not.toBe(end);
});

it('captionErasure returns a length-prefixed SEI unit with a CEA-708 packet that deletes all windows', () => {
  const captions = 'fc942cfc1c2cfd152cfd9d2cff0a22fe8cfffe428cfeff62fe8cfffe828cfeffa2fe8cfffec28cfeff00';
  const [h264, h265] = [captionErasure('h264', 4), captionErasure('h265', 2)].map((unit) =>
    Buffer.from(unit).toString('hex'),
  );
  expect(h264).toBe(`00000039060435b5003147413934034eff${captions}ff80`);
  expect(h265).toBe(`003a4e0104${h264?.slice(12)}`);
});
