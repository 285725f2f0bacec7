import { describe, expect, it } from 'vitest';
import { DESK_URL } from './ipc/desk-origin.ts';
import { isPermitted } from './permissions.ts';

describe('isPermitted', () => {
  it.each([
    ['fullscreen', DESK_URL, true],
    ['clipboard-sanitized-write', 'airdesk://desk', true],
    ['loopback-network', DESK_URL, true],
    ['clipboard-read', DESK_URL, false],
    ['media', DESK_URL, false],
    ['openExternal', DESK_URL, false],
    ['fullscreen', 'https://example.org/', false],
    ['fullscreen', '', false],
  ])('returns for %s of %s: %s', (permission, page, expected) => {
    expect(isPermitted(permission, page, DESK_URL)).toBe(expected);
  });
});
