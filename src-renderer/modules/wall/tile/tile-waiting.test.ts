import { mount, type VueWrapper } from '@vue/test-utils';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src-preload/contract/index.ts';
import TileWaiting from './TileWaiting.vue';

const URLS = ['rtmp://h:1935/static/enc1'];
const detail = 'The password for enc1 is missing or wrong (192.0.2.7:5000)';

function waiting(refusal: Problem | undefined, needsPassword = false): VueWrapper {
  return mount(TileWaiting, { props: { publishUrls: URLS, needsPassword, refusal, serverNowMs: 75_000 } });
}

describe('TileWaiting', () => {
  it('shows first that an encoder was refused, why, when and how often', () => {
    const text = waiting({ code: 'publish_bad_password', detail, at: 5_000, count: 3 }).text();
    expect(text).toMatch(
      /^Encoder refused.*password for publishing is missing or wrong.*192\.0\.2\.7.*1:10 ago, 3 times/,
    );
    expect(text.indexOf('Encoder refused')).toBeLessThan(text.indexOf('Waiting for an encoder'));
  });

  it('mentions no refusal if there was none', () => {
    const tile = waiting(undefined);
    expect([tile.find('[data-test=refusal]').exists(), tile.text().includes(URLS[0] ?? '-')]).toEqual([false, true]);
  });

  it('shows that the address needs a password', () => {
    expect(waiting(undefined, true).find('[data-test=needs-password]').text()).toContain('add ?password=');
    expect(waiting(undefined).find('[data-test=needs-password]').exists()).toBe(false);
  });
});
