import { parseConfigText } from '../../../src-preload/contract/config-language/parse.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import { TEXTS } from './texts.ts';

/** What the first steps ask for. Ports are texts, as they are typed; an empty text leaves out what it stands for. */
export interface FirstSteps {
  /** Whether other machines may reach the server. */
  isOpen: boolean;
  httpPort: string;
  rtmpPort: string;
  login: string;
  password: string;
  /** Where recordings go; a relative path lies in the data folder of the server. */
  folder: string;
  /** For how long they are kept. */
  days: string;
  streamName: string;
  /** Where the first stream comes from: an address, or `publish://`. */
  streamInput: string;
  /** Whether the streams of the demonstration go. */
  removesDemo: boolean;
}

/** Name of the storage that the first steps make. */
const STORAGE = 'main';
const HERE = '127.0.0.1';

/** What a configuration says of these things already. */
export function readFirstSteps(text: string): FirstSteps {
  const { directives } = parseConfigText(text);
  const [http, rtmp] = [first(directives, 'http'), first(directives, 'rtmp')];
  return {
    isOpen: http !== undefined && !isOfHere(http),
    httpPort: portOf(http) ?? '8080',
    rtmpPort: rtmp ? (portOf(rtmp) ?? '') : '',
    login: first(directives, 'edit_auth')?.args[0]?.value ?? 'admin',
    password: '',
    folder: hasStorage(directives) ? '' : 'archive',
    days: '7',
    streamName: '',
    streamInput: 'publish://',
    removesDemo: demoStreams(directives).length > 0,
  };
}

/** Whether a login for changes is there already: the first steps leave it as it is. */
export function hasLogin(text: string): boolean {
  return first(parseConfigText(text).directives, 'edit_auth') !== undefined;
}

/** Whether recordings have a place already: the first steps leave it as it is. */
export function hasArchive(text: string): boolean {
  return hasStorage(parseConfigText(text).directives);
}

/** A configuration with what the first steps ask for. All else stays as it is, with its comments. */
export function withFirstSteps(text: string, steps: FirstSteps): string {
  const { directives } = parseConfigText(text);
  const changes: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  const added: string[] = [];
  const listen = (name: 'http' | 'rtmp', port: string): void => {
    const found = first(directives, name);
    const line = port === '' ? '' : `${name} ${steps.isOpen ? '' : `${HERE}:`}${port};`;
    if (!found) {
      if (line !== '') added.push(line);
    } else if (portOf(found) !== port || isOfHere(found) === steps.isOpen)
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
  const folder = steps.folder.trim();
  const days = Math.max(1, Math.round(Number(steps.days)) || 7);
  const records = folder === '' ? '' : ` dvr @${STORAGE} ${days}d;`;
  if (folder !== '' && !hasStorage(directives)) added.push(`dvr ${STORAGE} { root ${printWord(folder)}; }`);
  if (steps.removesDemo) for (const { from, to } of demoStreams(directives)) changes.push({ from, to, text: '' });
  const name = steps.streamName.trim();
  if (name !== '') added.push(`stream ${printWord(name)} { input ${printWord(steps.streamInput.trim())};${records} }`);
  let made = text;
  for (const { from, to, text: line } of changes.sort((a, b) => b.from - a.from))
    made = made.slice(0, from) + line + made.slice(line === '' ? lineEnd(made, to) : to);
  if (added.length === 0) return made;
  return `${made}${made === '' || made.endsWith('\n') ? '' : '\n'}${added.join('\n')}\n`;
}

/** What is wrong with an answer, in words; undefined for one that can be. */
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

/** Streams that make their own test picture. */
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

function isOfHere(listener: ConfigDirective): boolean {
  return /^(127\.|localhost:|\[::1\]:)/.test(listener.args[0]?.value ?? '');
}

/** Behind the end of the line, where nothing else stands on it. */
function lineEnd(text: string, at: number): number {
  const rest = /^[ \t]*\r?\n/.exec(text.slice(at));
  return at + (rest?.[0].length ?? 0);
}
