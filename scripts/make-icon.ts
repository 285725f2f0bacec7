import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../tests/helpers/start-browser.ts';
import { ROOT } from './project.ts';

/** Pixels of each side: electron-builder makes the icons of all systems from it. */
const SIZE = 1024;

/** Draws `build/icon.svg` as `build/icon.png` with a transparent background. */
export async function run(): Promise<void> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
    const svg = readFileSync(join(ROOT, 'build/icon.svg'), 'utf8');
    await page.setContent(`<style>body { margin: 0 } svg { display: block; width: ${SIZE}px }</style>${svg}`);
    await page.screenshot({ path: join(ROOT, 'build/icon.png'), omitBackground: true });
  } finally {
    await browser.close();
  }
}
