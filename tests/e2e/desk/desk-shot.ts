import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Widths and heights of the pictures: a phone, a tablet in landscape and portrait, a workstation, a large monitor. */
const SIZES = [
  [390, 844],
  [810, 1080],
  [1080, 810],
  [1024, 768],
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
] as const;
/** Pictures of the operator's guide, by name in the tests. */
const GUIDE = new Set([
  'first-stream',
  'wall',
  'streams-details',
  'viewers',
  'system',
  'subscribers-card',
  'clips-report',
  'archive',
  'config-mistake',
  'config-changes',
  'config-history',
  'en-alarms',
  'en-login',
]);
const GUIDE_SIZE = { width: 1280, height: 720 };
/** Maximum size of a guide picture; its quality is reduced until it fits. */
const GUIDE_BYTES = 60_000;
const GUIDE_QUALITIES = [75, 60, 45, 30, 15];

/**
 * Saves pictures of a page: in typical sizes if `AIRDESK_SHOTS` names a folder, and as WebP for the guide if `AIRDESK_GUIDE`
 * does.
 */
export async function shootDesk(page: Page, name: string): Promise<void> {
  const [shots, guide] = [process.env['AIRDESK_SHOTS'], process.env['AIRDESK_GUIDE']];
  if (shots === undefined && guide === undefined) return;
  const originalSize = page.viewportSize();
  const [theme, isStill] = await page.evaluate<[string, boolean]>(
    `[document.documentElement.dataset.theme ?? 'dark', matchMedia('(prefers-reduced-motion: reduce)').matches]`,
  );
  const resize = async (size: { readonly width: number; readonly height: number }): Promise<void> => {
    await page.setViewportSize(size);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  };
  // Without motion, no screenshot shows a transition between two themes.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const other of shots === undefined ? [] : ['dark', 'light']) {
    await page.evaluate(chooseTheme(other));
    for (const [width, height] of SIZES) {
      await resize({ width, height });
      await page.screenshot({ path: `${shots}/${name}-${other}-${width}.png` });
    }
    await page.evaluate(chooseTheme(theme));
    await page.evaluate(STILL);
  }
  if (guide !== undefined && GUIDE.has(name)) {
    await resize(GUIDE_SIZE);
    // A dialog that is still opening is pale.
    await page.evaluate(STILL);
    writeFileSync(join(guide, `${name}.webp`), await webp(page));
  }
  await page.emulateMedia({ reducedMotion: isStill ? 'reduce' : null });
  if (originalSize) await page.setViewportSize(originalSize);
}

/** Resolves when all finite animations have ended. */
const STILL = `Promise.race([
  Promise.all(document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime < 10_000).map(({ finished }) => finished.catch(() => undefined))),
  new Promise((done) => setTimeout(done, 2000)),
]).then(() => undefined)`;

/** Selects the theme of the desk, like another window of it does. */
function chooseTheme(theme: string): string {
  const key = 'airdesk-theme';
  return `localStorage.setItem('${key}', '${theme}'); dispatchEvent(new StorageEvent('storage', { key: '${key}', newValue: '${theme}', storageArea: localStorage }))`;
}

/** Screenshot as WebP, which Playwright cannot make, but Chromium can. */
async function webp(page: Page): Promise<Buffer> {
  const chromium = await page.context().newCDPSession(page);
  try {
    for (const quality of GUIDE_QUALITIES) {
      const { data } = await chromium.send('Page.captureScreenshot', { format: 'webp', quality });
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length <= GUIDE_BYTES) return bytes;
    }
    throw new Error(`a picture of the guide has more than ${GUIDE_BYTES} bytes`);
  } finally {
    await chromium.detach();
  }
}
