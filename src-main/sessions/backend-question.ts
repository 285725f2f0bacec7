import type { Backend } from './access-policy.ts';
import type { ArchiveTime } from './session.ts';

/** Facts about a session in a request to a backend. */
export interface Question {
  readonly name: string;
  readonly proto: string;
  readonly ip: string;
  readonly sessionId: string;
  readonly isNew: boolean;
  /** Number of earlier requests about this session. */
  readonly number: number;
  /** Number of viewers of the stream, and of all streams. */
  readonly streamClients: number;
  readonly totalClients: number;
  readonly token: string;
  readonly queryString: string;
  readonly userAgent: string;
  readonly referer: string;
  readonly country: string | null;
  /** Played time of the archive; absent for live. */
  readonly archive?: ArchiveTime | undefined;
  readonly durationSeconds: number;
  readonly bytes: number;
}

/** Maximum length of one parameter, in characters. */
const MAX_VALUE_LENGTH = 2000;

/**
 * Address of a request to a backend: the address of the backend, the configured parameters, then the facts of the
 * session.
 */
export function questionUrl(url: string, { extra }: Pick<Backend, 'extra'>, question: Question): string {
  const address = new URL(url);
  const add = (name: string, value: string): void => {
    address.searchParams.set(name, value.slice(0, MAX_VALUE_LENGTH));
  };
  for (const [name, value] of Object.entries(extra)) add(name, value);
  add('name', question.name);
  add('proto', question.proto);
  add('ip', question.ip);
  add('request_type', question.isNew ? 'new_session' : 'update_session');
  add('request_number', String(question.number));
  add('session_id', question.sessionId);
  add('stream_clients', String(question.streamClients));
  add('total_clients', String(question.totalClients));
  add('dvr', String(question.archive !== undefined));
  if (question.archive) {
    const { fromSeconds, durationSeconds } = question.archive;
    add('dvr_from', String(fromSeconds));
    add('dvr_duration', durationSeconds === Infinity ? 'now' : String(durationSeconds));
  }
  add('duration', String(question.durationSeconds));
  add('bytes', String(question.bytes));
  if (question.token !== '') add('token', question.token);
  if (question.queryString !== '') add('qs', question.queryString);
  if (question.userAgent !== '') add('user_agent', question.userAgent);
  if (question.referer !== '') add('referer', question.referer);
  if (question.country !== null) add('country', question.country);
  return address.href;
}
