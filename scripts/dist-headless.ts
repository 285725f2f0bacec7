import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { extractAll } from '@electron/asar';
import { packFiles } from './packed-files.ts';
import { ROOT } from './project.ts';
import { ensureBuild, runStep } from './step.ts';

const HEADLESS = join(ROOT, 'build/headless');
/** Debian names of processor architectures. */
const ARCHITECTURES: Readonly<Partial<Record<string, string>>> = { x64: 'amd64', arm64: 'arm64' };
/** Permissions of executable files, and of all other files of the package. */
const PROGRAM = 0o755;
const TEXT = 0o644;

/**
 * Creates a Debian package of the headless server: the files of the installers, the Node that runs this script, and a
 * systemd unit. `--output FOLDER`, default `dist/headless`; `--compression` as in `dpkg-deb -Z`, default `xz`;
 * `--keep-packed` keeps the archive in `packed` there.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      output: { type: 'string', default: 'dist/headless' },
      compression: { type: 'string', default: 'xz' },
      'keep-packed': { type: 'boolean', default: false },
    },
  });
  const architecture = ARCHITECTURES[process.arch];
  if (process.platform !== 'linux' || !architecture)
    throw new Error(`run this script on Linux on x64 or arm64, not on ${process.platform} ${process.arch}`);
  await ensureBuild();
  const output = resolve(ROOT, values.output);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const { name, version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly description: string;
  };
  const tree = join(output, 'tree');
  await writeTree(tree, join(output, 'packed'));
  const control = [
    `Package: ${name}-headless`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: The Airdesk makers <airdesk@example.org>',
    'Section: video',
    'Priority: optional',
    'Depends: adduser, ca-certificates, libc6 (>= 2.28), libstdc++6',
    `Installed-Size: ${Math.ceil(sizeOf(tree) / 1024)}`,
    `Description: ${description}`,
    ' The server without a window: the desk is a web page of it.',
  ];
  writeFile(join(tree, 'DEBIAN/control'), `${control.join('\n')}\n`, TEXT);
  writeFile(join(tree, 'DEBIAN/conffiles'), '/etc/airdesk/airdesk.conf\n', TEXT);
  for (const script of ['postinst', 'prerm', 'postrm'])
    writeFile(join(tree, 'DEBIAN', script), readFileSync(join(HEADLESS, script)), PROGRAM);
  const file = join(output, `${name}-headless_${version}_${architecture}.deb`);
  const options = ['--build', '--root-owner-group', `-Z${values.compression}`];
  const result = await runStep('dpkg-deb', [...options, tree, file], { capture: 'quiet' });
  if (result.code !== 0) throw new Error(`dpkg-deb failed:\n${result.output}`);
  if (!values['keep-packed']) rmSync(join(output, 'packed'), { recursive: true });
  rmSync(tree, { recursive: true });
  process.stdout.write(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)\n`);
}

/** Writes the installed tree, relative to `/`. */
async function writeTree(tree: string, packed: string): Promise<void> {
  const app = join(tree, 'opt/airdesk/app');
  // Also copies the files of `app.asar.unpacked`.
  extractAll(await packFiles(packed), app);
  cpSync(process.execPath, join(tree, 'opt/airdesk/node'));
  chmodSync(join(tree, 'opt/airdesk/node'), PROGRAM);
  const places: readonly (readonly [from: string, to: string, mode: number])[] = [
    ['airdesk.sh', 'usr/bin/airdesk', PROGRAM],
    ['airdesk.conf', 'etc/airdesk/airdesk.conf', TEXT],
    ['airdesk.service', 'lib/systemd/system/airdesk.service', TEXT],
  ];
  for (const [from, to, mode] of places) writeFile(join(tree, to), readFileSync(join(HEADLESS, from)), mode);
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md'])
    writeFile(join(tree, 'usr/share/doc/airdesk', name), readFileSync(join(app, name)), TEXT);
}

function writeFile(path: string, content: string | Buffer, mode: number): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: PROGRAM });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
