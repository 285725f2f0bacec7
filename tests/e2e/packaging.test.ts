import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statFile } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../scripts/dist-headless.ts';
import { fusesOf } from '../../scripts/packed-files.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { startBrowser } from '../helpers/start-browser.ts';
import { until } from '../helpers/until.ts';

/** Maximum size of the application files, most of which belong to FFmpeg. */
const MAX_MB = 230;

let folder: string;
/** Folder of the unpacked package, which corresponds to `/`. */
let root: string;
let app: string;
/** Paths of the application files, relative to its folder. */
let files: readonly string[];

// The package contains the same files as the installers, because both are built from the same archive.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-package-'));
  await run(['--output', join(folder, 'made'), '--compression', 'none', '--keep-packed']);
  root = join(folder, 'root');
  app = join(root, 'opt/airdesk/app');
  execFileSync('dpkg-deb', ['-x', packageFile(), root]);
  files = readdirSync(app, { recursive: true, encoding: 'utf8' });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Application archive of the installers. */
function archive(): string {
  return join(folder, 'made/packed/linux-unpacked/resources/app.asar');
}

function packageFile(): string {
  const name = readdirSync(join(folder, 'made')).find((file) => file.endsWith('.deb')) ?? '';
  return join(folder, 'made', name);
}

/** Output of `dpkg-deb` for a field of the package. */
function field(name: string): string {
  return execFileSync('dpkg-deb', ['-f', packageFile(), name], { encoding: 'utf8' }).trim();
}

describe('the files of the application', () => {
  it('are those needed at run time, without sources', () => {
    for (const needed of [
      'out/main/index.js',
      'out/main/headless.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
    ])
      expect(files).toContain(needed);
    for (const needed of [
      'LICENSE',
      'resources/default.conf',
      'out/main/player/hls.min.js',
      'docs/reference/errors.md',
    ])
      expect(files).toContain(needed);
    expect(files.filter((path) => /\.(ts|map|vue|tsbuildinfo)$/.test(path))).toEqual([]);
    expect(files.filter((path) => /^(src-|tests|scripts|bench|\.)/.test(path))).toEqual([]);
    // Files of packages that only their developers need are excluded.
    const unused =
      /\.(c|cc|cpp|h|gypi?|sh)$|(^|\/)(tests?|specs?|__tests__|benchmarks?|Guides)\/|\.(test|spec)\.[cm]?js$/;
    expect(files.filter((path) => unused.test(path))).toEqual([]);
  });

  it('contain native code and files opened by path outside the archive, and only for this system', () => {
    const outside = files
      .filter((path) => /\.(node|so|dylib|dll)$/.test(path) || path.startsWith('resources/'))
      .filter((path) => statSync(join(app, path)).isFile());
    for (const path of outside) {
      expect(statFile(archive(), path), path).toMatchObject({ unpacked: true });
      expect(existsSync(join(`${archive()}.unpacked`, path)), path).toBe(true);
    }
    expect(outside).toContain('resources/default.conf');
    expect(outside.filter((path) => /node-av[^/]*\.node$/.test(path))).toHaveLength(1);
    expect(outside.filter((path) => path.includes('better-sqlite3')).sort()).toEqual(
      ['arm64', 'x64'].map((cpu) => `node_modules/better-sqlite3/prebuilds/linux-${cpu}.node`),
    );
  });

  it('start from a binary that cannot run other programs', () => {
    // RunAsNode, CookieEncryption, NodeOptions, NodeCliInspect, AsarIntegrity, OnlyLoadAppFromAsar, V8Snapshot
    // (unchanged), FileProtocol.
    expect(fusesOf(archive())).toBe('01001110');
  });

  it('contain all packages that the application imports, and no development tools', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys(dependencies)) expect(files).toContain(`node_modules/${name}/package.json`);
    const shared = new Set(['ajv']);
    for (const name of Object.keys(devDependencies))
      if (!shared.has(name)) expect(files).not.toContain(`node_modules/${name}/package.json`);
  });

  it('do not exceed the maximum size', () => {
    const bytes = files.reduce((sum, path) => sum + statSync(join(app, path)).size, 0);
    expect(bytes / 1e6).toBeLessThan(MAX_MB);
  });
});

describe('the package of the headless server', () => {
  it('states its name, version, dependencies and size', () => {
    expect(field('Package')).toBe('airdesk-headless');
    expect(field('Version')).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
    expect(field('Depends')).toContain('adduser');
    expect(Number(field('Installed-Size'))).toBeGreaterThan(100_000);
  });

  it('keeps the edited configuration, and runs as a separate user', () => {
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
    for (const setting of ['MemoryMax', 'ProtectHome', 'PrivateDevices', 'RestrictAddressFamilies', 'SystemCallFilter'])
      expect(unit).toMatch(new RegExp(`^${setting}=`, 'm'));
    expect(unit).toContain('ProtectSystem=strict\n');
    expect(readFileSync(join(control, 'postinst'), 'utf8')).toContain(data);
    // Other users of the machine must not read the passwords in the configuration.
    expect(readFileSync(join(control, 'postinst'), 'utf8')).toContain('chmod 0640 /etc/airdesk/airdesk.conf');
  });

  it('contains a valid configuration that accepts only local connections', async () => {
    const text = readFileSync(join(root, 'etc/airdesk/airdesk.conf'), 'utf8');
    expect(text.match(/^(http|rtmp) .*$/gm)).toEqual(['http 127.0.0.1:8080;', 'rtmp 127.0.0.1:1935;']);
    const server = await AirdeskProcess.start(
      text.replace(/^(http|rtmp) .*$/gm, '').replace('live live {', 'live other {'),
      // The process finds no files of the checkout.
      { program: [join(root, 'opt/airdesk/node'), join(app, 'out/main/headless.js')], env: { NODE_COMPILE_CACHE: '' } },
    );
    const browser = await startBrowser();
    const encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/other/cam`, isEndless: true });
    try {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      // All resources of the desk come from the server.
      page.on('request', (request) => {
        if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url)) faults.push(request.url());
      });
      await page.goto(`${server.url}/`);
      const video = page.locator('article[data-stream="other/cam"] video');
      const plays = (): Promise<boolean> => video.evaluate((one: { currentTime: number }) => one.currentTime > 1);
      await until('the picture', plays, 40_000, () => server.printed);
      expect(faults).toEqual([]);
      const playlist = await server.text('/other/cam/index.m3u8');
      expect(playlist).toContain('#EXT-X-STREAM-INF');
    } finally {
      await Promise.all([browser.close(), encoder.stop()]);
      expect(await server.stop()).toBe(0);
      await server.dispose();
    }
  });
});
