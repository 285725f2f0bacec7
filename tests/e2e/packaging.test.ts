import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../scripts/dist-headless.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';

/** Most that the files of the application may weigh; nearly all of it is FFmpeg. */
const MOST_MB = 230;

let folder: string;
/** Where the package is unpacked, as below `/`. */
let root: string;
let app: string;
/** Files of the application, by their paths in it. */
let files: readonly string[];

// The package has the files of the installers: both are made from the same archive.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-package-'));
  await run(['--output', join(folder, 'made'), '--compression', 'none']);
  root = join(folder, 'root');
  app = join(root, 'opt/airdesk/app');
  execFileSync('dpkg-deb', ['-x', packageFile(), root]);
  files = readdirSync(app, { recursive: true, encoding: 'utf8' });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function packageFile(): string {
  const [name = ''] = readdirSync(join(folder, 'made'));
  return join(folder, 'made', name);
}

/** What `dpkg-deb` says of the package. */
function field(name: string): string {
  return execFileSync('dpkg-deb', ['-f', packageFile(), name], { encoding: 'utf8' }).trim();
}

describe('the files of the application', () => {
  it('are those that run, and none that they were made from', () => {
    for (const needed of [
      'out/main/index.js',
      'out/main/headless.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
    ])
      expect(files).toContain(needed);
    for (const needed of ['LICENSE', 'resources/default.conf', 'out/main/player/hls.min.js', 'docs/errors.md'])
      expect(files).toContain(needed);
    expect(files.filter((path) => /\.(ts|map|vue|tsbuildinfo)$/.test(path))).toEqual([]);
    expect(files.filter((path) => /^(src-|tests|scripts|bench|\.)/.test(path))).toEqual([]);
  });

  it('have the packages that the application imports, and no tools', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys(dependencies)) expect(files).toContain(`node_modules/${name}/package.json`);
    const shared = new Set(['ajv']);
    for (const name of Object.keys(devDependencies))
      if (!shared.has(name)) expect(files).not.toContain(`node_modules/${name}/package.json`);
  });

  it('are of a size that is known', () => {
    const bytes = files.reduce((sum, path) => sum + statSync(join(app, path)).size, 0);
    expect(bytes / 1e6).toBeLessThan(MOST_MB);
  });
});

describe('the package of the server without a window', () => {
  it('says what it is and what it needs', () => {
    expect(field('Package')).toBe('airdesk-headless');
    expect(field('Version')).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
    expect(field('Depends')).toContain('adduser');
    expect(Number(field('Installed-Size'))).toBeGreaterThan(100_000);
  });

  it('keeps the configuration of an operator, and runs as a user of its own', () => {
    const control = join(folder, 'control');
    execFileSync('dpkg-deb', ['-e', packageFile(), control]);
    expect(readFileSync(join(control, 'conffiles'), 'utf8')).toBe('/etc/airdesk/airdesk.conf\n');
    for (const script of ['postinst', 'prerm', 'postrm']) {
      execFileSync('sh', ['-n', join(control, script)]);
      expect(statSync(join(control, script)).mode & 0o111).toBe(0o111);
    }
    const unit = readFileSync(join(root, 'lib/systemd/system/airdesk.service'), 'utf8');
    const [, program = '', config = '', data = ''] =
      /^ExecStart=(\S+) --config (\S+) --data (\S+)$/m.exec(unit) ?? expect.fail('the unit starts nothing');
    expect(existsSync(join(root, program)) && existsSync(join(root, config))).toBe(true);
    expect(unit).toContain(`User=airdesk\n`);
    expect(readFileSync(join(control, 'postinst'), 'utf8')).toContain(data);
    // Other users of the machine must not read the passwords in it.
    expect(readFileSync(join(control, 'postinst'), 'utf8')).toContain('chmod 0640 /etc/airdesk/airdesk.conf');
  });

  it('has a configuration that is right, closed to other machines', async () => {
    const text = readFileSync(join(root, 'etc/airdesk/airdesk.conf'), 'utf8');
    expect(text.match(/^(http|rtmp) .*$/gm)).toEqual(['http 127.0.0.1:8080;', 'rtmp 127.0.0.1:1935;']);
    const server = await AirdeskProcess.start(
      text.replace(/^(http|rtmp) .*$/gm, '').replace('live live {', 'live other {'),
      // Nothing of the checkout is found from here.
      { program: [join(root, 'opt/airdesk/node'), join(app, 'out/main/headless.js')], env: { NODE_COMPILE_CACHE: '' } },
    );
    const encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/other/cam`, isEndless: true });
    try {
      const desk = await fetch(`${server.url}/`);
      expect([desk.status, await desk.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
      await server.streamWhere('other/cam', 'on air', ({ status }) => status === 'running');
      const playlist = await server.text('/other/cam/index.m3u8');
      expect(playlist).toContain('#EXT-X-STREAM-INF');
    } finally {
      await encoder.stop();
      expect(await server.stop()).toBe(0);
      await server.dispose();
    }
  });
});
