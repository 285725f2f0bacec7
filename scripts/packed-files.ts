import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, Platform } from 'electron-builder';
import { ROOT } from './project.ts';

/** What stands in place of Electron's own files where only those of the application are wanted. */
const ELECTRON_FILES = ['electron', 'version', 'LICENSE', 'LICENSES.chromium.html'];

/**
 * Packs the build into an archive as the installers have it, with the rules of `electron-builder.yml`, without Electron and without the network. Returns
 * the path of `app.asar`, beside which `app.asar.unpacked` lies.
 */
export async function packFiles(folder: string): Promise<string> {
  const electron = mkdtempSync(join(tmpdir(), 'airdesk-electron-'));
  mkdirSync(join(electron, 'resources'));
  mkdirSync(join(electron, 'locales'));
  for (const name of ELECTRON_FILES) writeFileSync(join(electron, name), electronVersion());
  chmodSync(join(electron, 'electron'), 0o755);
  try {
    await build({
      targets: Platform.LINUX.createTarget('dir'),
      projectDir: ROOT,
      publish: 'never',
      config: {
        extends: join(ROOT, 'electron-builder.yml'),
        directories: { output: folder },
        electronDist: electron,
        // There is no binary of Electron that they could be set in.
        electronFuses: null,
      },
    });
  } finally {
    rmSync(electron, { recursive: true, force: true });
  }
  return join(folder, 'linux-unpacked/resources/app.asar');
}

function electronVersion(): string {
  const text = readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
