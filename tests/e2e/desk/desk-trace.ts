import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Console lines that are kept. */
const MAX_LINES = 20;

/** Activity of a desk page, for the error message of a test that times out. */
export class DeskTrace {
  readonly #page: Page;
  readonly #lines: string[] = [];
  readonly #requested = new Set<string>();

  constructor(page: Page) {
    this.#page = page;
    const keep = (line: string): void => void this.#lines.splice(0, this.#lines.push(line) - MAX_LINES);
    page.on('console', (message) => keep(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => keep(error.message));
    page.on('request', (request) => this.#requested.add(request.url()));
    page.on('requestfinished', (request) => this.#requested.delete(request.url()));
    page.on('requestfailed', (request) => {
      this.#requested.delete(request.url());
      keep(`${request.failure()?.errorText ?? 'failed'}: ${request.url()}`);
    });
  }

  /** Players and displayed time, focus, requests, output, and the path of a screenshot. */
  async state(): Promise<string> {
    const picture = join(mkdtempSync(join(tmpdir(), 'airdesk-desk-failed-')), 'page.png');
    await this.#page.screenshot({ path: picture }).catch(() => undefined);
    const shown = await this.#page.evaluate<object>(SHOWN);
    return [JSON.stringify(shown, null, 1), ...this.#requested, ...this.#lines, picture].join('\n');
  }
}

const SHOWN = `(() => {
  const time = document.querySelector('[data-test=time]');
  const active = document.activeElement;
  return {
    players: [...document.querySelectorAll('figure')].map((figure) => {
      const { currentTime, seeking, paused, readyState, error, buffered } = figure.querySelector('video');
      const ranges = Array.from({ length: buffered.length }, (_, at) => [buffered.start(at), buffered.end(at)].join('-'));
      const { name, state } = figure.dataset;
      return [name, state, currentTime, { seeking, paused, readyState, error: error?.message, ranges }];
    }),
    time: [document.querySelector('.day')?.textContent, time?.value, time?.ariaInvalid],
    active: [active?.tagName, active?.getAttribute('data-test'), active?.ariaLabel],
  };
})()`;
