import { translated } from '../i18n/translated.ts';
import { AUTHORS_DE } from './author-texts-de.ts';

/** Authors of changes without a login, by code. */
const AUTHORS: Readonly<Record<string, string>> = translated(
  'authors',
  {
    server: 'the server',
    desk: 'someone at the server’s desk',
    local: 'someone at the server',
    anyone: 'someone without a login',
    retention: 'the retention rule',
    alarms: 'the alarm system',
    token: 'API token',
  },
  AUTHORS_DE,
);

/** Author of a change: a login, or words for the code by which the server names authors without one. */
export function authorText(who: string): string {
  const [, token] = /^token (.+)$/.exec(who) ?? [];
  if (token !== undefined) return `${AUTHORS['token']} ${token}`;
  return Object.hasOwn(AUTHORS, who) ? (AUTHORS[who] ?? who) : who;
}
