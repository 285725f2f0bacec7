import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-full-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SCRIPT = `
  import { readdirSync } from 'node:fs';
  import { OutputFile } from ${JSON.stringify(join(import.meta.dirname, 'output-file.ts'))};
  const path = process.argv[1] + '/clips/film.mp4';
  const file = await OutputFile.create(path, path + '.tmp');
  let code = 'none';
  try {
    for (let mebibytes = 0; mebibytes < 12; mebibytes++) await file.write(new Uint8Array(1 << 20));
    await file.finish();
  } catch (error) {
    code = error.code;
  }
  await file.discard();
  console.log(code, readdirSync(process.argv[1] + '/clips').length);
`;

it('OutputFile reports a disk that becomes full while writing, and leaves nothing on it', () => {
  const command = `mount -t tmpfs -o size=6m tmpfs "$0" && exec "$1" --input-type=module -e "$2" "$0"`;
  const user = process.getuid?.() === 0 ? [] : ['-r'];
  const printed = execFileSync('unshare', [...user, '-m', 'sh', '-c', command, folder, process.execPath, SCRIPT], {
    encoding: 'utf8',
  });
  expect(printed.trim()).toBe('export_no_room 0');
});
