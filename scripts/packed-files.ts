import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, Platform } from 'electron-builder';
import { ROOT } from './project.ts';

/** Placeholders for Electron's own files when only those of the application are needed. */
const ELECTRON_FILES = ['version', 'LICENSE', 'LICENSES.chromium.html'];
/**
 * Sentinel that `@electron/fuses` searches for in a binary, followed by the version of the format, the number of fuses, and their
 * states.
 */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Fuses of format version 1. Each of the eight has the opposite of its configured state, except for the unconfigured one. */
const FUSES_UNSET = `${FUSE_SENTINEL}\u0001\u000810110011`;

/**
 * Packs the build into an archive as in the installers, by the rules of `electron-builder.yml`, without Electron and without the
 * network. Returns the path of `app.asar`, which is beside `app.asar.unpacked`.
 */
export async function packFiles(folder: string): Promise<string> {
  const electron = mkdtempSync(join(tmpdir(), 'airdesk-electron-'));
  mkdirSync(join(electron, 'resources'));
  mkdirSync(join(electron, 'locales'));
  for (const name of ELECTRON_FILES) writeFileSync(join(electron, name), electronVersion());
  writeFileSync(join(electron, 'electron'), FUSES_UNSET, { mode: 0o755 });
  try {
    await build({
      targets: Platform.LINUX.createTarget('dir'),
      projectDir: ROOT,
      publish: 'never',
      config: {
        extends: join(ROOT, 'electron-builder.yml'),
        directories: { output: folder },
        electronDist: electron,
      },
    });
  } finally {
    rmSync(electron, { recursive: true, force: true });
  }
  return join(folder, 'linux-unpacked/resources/app.asar');
}

/**
 * States of the fuses in the binary of a packed application, in the order of `@electron/fuses`: '0' is off, '1' on.
 *
 * @param archive as returned by `packFiles`
 */
export function fusesOf(archive: string): string {
  const binary = readFileSync(join(archive, '../../airdesk'), 'latin1');
  return binary.slice(binary.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length + 2);
}

function electronVersion(): string {
  const text = readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
