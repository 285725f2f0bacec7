import { describe, expect, it } from 'vitest';
import { pageAccess, sandboxOf } from './web-page.ts';

const DESK = 'https://desk.example/#/wall';

describe('a web page on the wall', () => {
  it.each([
    ['https://graph.example/board?x=1', DESK, 'shown'],
    ['https://graph.example:8443/board', DESK, 'notAllowed'],
    ['http://graph.example/board', DESK, 'notAllowed'],
    ['https://desk.example/cam/embed.html', DESK, 'isolated'],
    ['https://desk.example/', 'https://other.example/', 'shown'],
    ['javascript:alert(1)', DESK, 'badAddress'],
    ['data:text/html,x', DESK, 'badAddress'],
    ['graph', DESK, 'badAddress'],
    ['https://graph.example/board', 'airdesk://desk/#/wall', 'onlyInBrowser'],
  ] as const)('at %s on the desk %s is %s', (url, desk, verdict) => {
    expect(pageAccess(url, ['https://graph.example', 'https://desk.example'], desk)).toBe(verdict);
  });

  it('keeps its own origin, unless that is the origin of the desk', () => {
    expect([sandboxOf('shown'), sandboxOf('isolated'), sandboxOf('notAllowed')]).toEqual([
      'allow-scripts allow-same-origin',
      'allow-scripts',
      null,
    ]);
  });
});
