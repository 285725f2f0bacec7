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
  /** Retention in days. */
  days: string;
  streamName: string;
  /** Source of the first stream: an address, or `publish://`. */
  streamInput: string;
  /** Whether the demo streams are removed. */
  removesDemo: boolean;
}

/** Name of the login that may only watch. */
const VIEWER = 'viewer';
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
    folder: hasStorage(directives) ? '' : 'archive',
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
  return hasStorage(parseConfigText(text).directives);
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
  if (steps.password !== '' && !first(directives, 'edit_auth'))
    added.push(`edit_auth ${printWord(steps.login.trim() || 'admin')} ${printWord(steps.password)};`);
  if (steps.viewPassword !== '' && !first(directives, 'view_auth'))
    added.push(`view_auth ${VIEWER} ${printWord(steps.viewPassword)};`);
  const folder = steps.folder.trim();
  const days = Math.max(1, Math.round(Number(steps.days)) || 7);
  const records = folder === '' ? '' : ` dvr @${STORAGE} ${days}d;`;
  if (folder !== '' && !hasStorage(directives)) added.push(`dvr ${STORAGE} { root ${printWord(folder)}; }`);
  if (steps.removesDemo) for (const { from, to } of demoStreams(directives)) changes.push({ from, to, text: '' });
  const name = steps.streamName.trim();
  if (name !== '') added.push(`stream ${printWord(name)} { input ${printWord(steps.streamInput.trim())};${records} }`);
  let edited = text;
  for (const { from, to, text: line } of changes.sort((a, b) => b.from - a.from))
    edited = edited.slice(0, from) + line + edited.slice(line === '' ? lineEnd(edited, to) : to);
  if (added.length === 0) return edited;
  return `${edited}${edited === '' || edited.endsWith('\n') ? '' : '\n'}${added.join('\n')}\n`;
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

function hasStorage(directives: readonly ConfigDirective[]): boolean {
  return directives.some(({ name, block }) => name === 'dvr' && block !== undefined);
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
