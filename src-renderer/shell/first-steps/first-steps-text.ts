import { parseConfigText } from '../../../src-preload/contract/config-language/parse.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { TEXTS } from './texts.ts';

/** Answers to the first steps. Ports are texts as typed; an empty text skips its setting. */
export interface FirstSteps {
  /** Whether other machines may reach the server. */
  isOpen: boolean;
  httpPort: string;
  rtmpPort: string;
  login: string;
  password: string;
  /** Password of the login that may only watch; empty for none. */
  viewPassword: string;
  /** Folder of recordings; a relative path is resolved in the data folder of the server. */
  folder: string;
  /** Whether the first stream is recorded, if there is a storage already. */
  recordsFirst: boolean;
  /** Retention in days. */
  days: string;
  streamName: string;
  /** Source of the first stream: an address, or `publish://`. */
  streamInput: string;
  /** Whether the demo streams are removed. */
  removesDemo: boolean;
}

/** Name of the login that may only watch. */
export const VIEWER = 'viewer';
/** Name of the storage that the first steps create. */
const STORAGE = 'main';
const HERE = '127.0.0.1';

/** Reads the present answers from a configuration. */
export function readFirstSteps(text: string): FirstSteps {
  const { directives } = parseConfigText(text);
  const [http, rtmp] = [first(directives, 'http'), first(directives, 'rtmp')];
  return {
    isOpen: http !== undefined && !isLoopback(http),
    httpPort: portOf(http) ?? '8080',
    rtmpPort: rtmp ? (portOf(rtmp) ?? '') : '',
    login: first(directives, 'edit_auth')?.args[0]?.value ?? 'admin',
    password: '',
    viewPassword: '',
    folder: storageOf(directives) === undefined ? 'archive' : '',
    recordsFirst: true,
    days: '7',
    streamName: '',
    streamInput: 'publish://',
    removesDemo: demoStreams(directives).length > 0,
  };
}

/** True if a login for changes exists; the first steps do not change it. */
export function hasLogin(text: string): boolean {
  return first(parseConfigText(text).directives, 'edit_auth') !== undefined;
}

/** True if a storage for recordings exists; the first steps do not change it. */
export function hasArchive(text: string): boolean {
  return storageOf(parseConfigText(text).directives) !== undefined;
}

/** Applies the answers to a configuration. Everything else stays, including comments. */
export function withFirstSteps(text: string, steps: FirstSteps): string {
  const { directives } = parseConfigText(text);
  const changes: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  const added: string[] = [];
  const listen = (name: 'http' | 'rtmp', port: string): void => {
    const found = first(directives, name);
    const line = port === '' ? '' : `${name} ${steps.isOpen ? '' : `${HERE}:`}${port};`;
    if (!found) {
      if (line !== '') added.push(line);
    } else if (portOf(found) !== port || isLoopback(found) === steps.isOpen)
      changes.push({
        from: found.from,
        to: found.to,
        text: found.block === undefined ? line : text.slice(found.from, found.to),
      });
  };
  listen('http', steps.httpPort.trim());
  listen('rtmp', steps.rtmpPort.trim());
  added.push(...loginLines(directives, steps));
  const folder = steps.folder.trim();
  const days = Math.max(1, Math.round(Number(steps.days)) || 7);
  const storage = storageOf(directives) ?? (folder === '' ? undefined : STORAGE);
  const records = storage === undefined || !steps.recordsFirst ? '' : ` dvr @${printWord(storage)} ${days}d;`;
  if (folder !== '' && storageOf(directives) === undefined) added.push(`dvr ${STORAGE} { root ${printWord(folder)}; }`);
  if (steps.removesDemo) for (const { from, to } of demoStreams(directives)) changes.push({ from, to, text: '' });
  const name = steps.streamName.trim();
  if (name !== '') added.push(`stream ${printWord(name)} { input ${printWord(steps.streamInput.trim())};${records} }`);
  let edited = text;
  for (const { from, to, text: line } of changes.sort((a, b) => b.from - a.from))
    edited = edited.slice(0, from) + line + edited.slice(line === '' ? lineEnd(edited, to) : to);
  return withLines(edited, added);
}

/** Answers about logins. */
type Logins = Pick<FirstSteps, 'login' | 'password' | 'viewPassword'>;

/** Adds the logins to a configuration that has none. Everything else stays. */
export function withLogins(text: string, logins: Logins): string {
  return withLines(text, loginLines(parseConfigText(text).directives, logins));
}

function loginLines(directives: readonly ConfigDirective[], { login, password, viewPassword }: Logins): string[] {
  const lines: string[] = [];
  if (password !== '' && !first(directives, 'edit_auth'))
    lines.push(`edit_auth ${printWord(login.trim() || 'admin')} ${printWord(password)};`);
  if (viewPassword !== '' && !first(directives, 'view_auth'))
    lines.push(`view_auth ${VIEWER} ${printWord(viewPassword)};`);
  return lines;
}

function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
}

/** True if an open port changes: its connections end. */
export function changesOpenPort(text: string, steps: FirstSteps): boolean {
  const { directives } = parseConfigText(text);
  return (['http', 'rtmp'] as const).some((name) => {
    const found = first(directives, name);
    const port = (name === 'http' ? steps.httpPort : steps.rtmpPort).trim();
    return found !== undefined && (portOf(found) !== port || isLoopback(found) === steps.isOpen);
  });
}

/** Message about an invalid port; undefined for a valid one. */
export function portProblem(port: string, isNeeded: boolean): string | undefined {
  const trimmed = port.trim();
  if (trimmed === '') return isNeeded ? TEXTS.needsPort : undefined;
  const number = Number(trimmed);
  return /^\d+$/.test(trimmed) && number >= 1 && number <= 65_535 ? undefined : TEXTS.badPort;
}

function first(directives: readonly ConfigDirective[], name: string): ConfigDirective | undefined {
  return directives.find((directive) => directive.name === name);
}

/** Name of the first storage of recordings; undefined if there is none. */
function storageOf(directives: readonly ConfigDirective[]): string | undefined {
  return directives.find(({ name, block }) => name === 'dvr' && block !== undefined)?.args[0]?.value;
}

/** Streams with a generated test picture. */
function demoStreams(directives: readonly ConfigDirective[]): ConfigDirective[] {
  return directives.filter(
    ({ name, args, block }) =>
      name === 'stream' &&
      args[0]?.value.startsWith('demo/') === true &&
      block?.some((inner) => inner.name === 'input' && inner.args[0]?.value.startsWith('fake://') === true) === true,
  );
}

function portOf(listener: ConfigDirective | undefined): string | undefined {
  return /(\d+)$/.exec(listener?.args[0]?.value ?? '')?.[1];
}

function isLoopback(listener: ConfigDirective): boolean {
  return /^(127\.|localhost:|\[::1\]:)/.test(listener.args[0]?.value ?? '');
}

/** Offset after the line break if the rest of the line is empty. */
function lineEnd(text: string, at: number): number {
  const rest = /^[ \t]*\r?\n/.exec(text.slice(at));
  return at + (rest?.[0].length ?? 0);
}
