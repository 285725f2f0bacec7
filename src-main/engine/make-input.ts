import { resolve } from 'node:path';
import type { ByteBudget } from '../ingest/byte-budget.ts';
import { CopyInput } from '../ingest/copy/copy-input.ts';
import type { CopySourcePort } from '../ingest/copy/copy-source-port.ts';
import type { FakeInputs } from '../ingest/fake/fake-inputs.ts';
import { parseFakeOptions } from '../ingest/fake/fake-options.ts';
import { FileInput, type FileInputOptions } from '../ingest/file/file-input.ts';
import type { FeedServer } from '../lib/feed-server.ts';
import { calledHost, FOREIGN_SCHEMES, parseExternalAddress } from '../ingest/external/external-address.ts';
import { ExternalInput } from '../ingest/external/external-input.ts';
import type { ExternalReaderPort } from '../ingest/external/external-reader-port.ts';
import { parseHlsAddress } from '../ingest/hls/hls-address.ts';
import { HlsInput } from '../ingest/hls/hls-input.ts';
import type { Input, InputEnd, InputSink } from '../ingest/input.ts';
import { parseTsHttpAddress } from '../ingest/mpegts/ts-http-address.ts';
import { TsHttpInput } from '../ingest/mpegts/ts-http-input.ts';
import { parseUdpAddress } from '../ingest/udp/udp-address.ts';
import { UdpInput } from '../ingest/udp/udp-input.ts';
import { PlaylistInput } from '../ingest/playlist/playlist-input.ts';
import type { AllowedPaths } from '../lib/allowed-paths.ts';
import type { Clock } from '../lib/clock.ts';
import type { FileTurns } from '../lib/file-turns.ts';
import type { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import type { InputSpec } from './messages.ts';
import type { PlaylistStates } from './playlist-states.ts';

/** Makes an input of a stream from its address. Throws an error that is an `InputEnd` for an address that cannot work. */
export type MakeInput = (spec: InputSpec, sink: InputSink, streamName: string) => Input;

/** What inputs are made with. */
export interface InputMakerOptions {
  readonly clock: Clock;
  /** Folder of `file://` inputs with relative paths. */
  readonly fileRoot: string;
  /** Where files may lie. */
  readonly allowed: AllowedPaths;
  /** Turns at files, which may hang. */
  readonly turns: FileTurns;
  readonly fakes: FakeInputs;
  /** Codec processes, and where their packets come in. */
  readonly copies: CopySourcePort;
  readonly playlists: PlaylistStates;
  /** What all inputs of the thread share for what is half received. */
  readonly budget: ByteBudget;
  readonly hosts: OutgoingHosts;
  readonly foreign: { readonly port: ExternalReaderPort; readonly feeds: FeedServer };
}

type Maker = (spec: InputSpec, sink: InputSink, options: InputMakerOptions, streamName: string) => Input;

/** How each scheme of an input address is opened. */
const MAKERS: Readonly<Record<string, Maker>> = {
  fake: (spec, sink, { fakes }) => fakes.open(checked(parseFakeOptions(optionsOf(spec))), sink),
  file: openFile,
  copy: openCopy,
  playlist: openPlaylist,
  udp: openUdp,
  rtp: openRtp,
  tshttp: openTsHttp,
  tshttps: openTsHttp,
  hls: openHls,
  hlss: openHls,
  ...Object.fromEntries(FOREIGN_SCHEMES.map((scheme) => [scheme, openExternal])),
};

/** Schemes of input addresses that a media thread opens by itself. */
export const INPUT_SCHEMES: readonly string[] = Object.keys(MAKERS);

/** How the addresses of each scheme are parsed, before anything is opened; what `file` and `playlist` name is found when they are opened. */
const PARSERS: Readonly<Record<string, (spec: InputSpec) => object>> = {
  fake: (spec) => parseFakeOptions(optionsOf(spec)),
  copy: copyAddress,
  udp: udpAddress,
  rtp: (spec) => (optionsOf(spec).has('sdp') ? {} : udpAddress(spec)),
  tshttp: tsHttpAddress,
  tshttps: tsHttpAddress,
  hls: hlsAddress,
  hlss: hlsAddress,
  ...Object.fromEntries(FOREIGN_SCHEMES.map((scheme) => [scheme, foreignAddress])),
};

/** Why no input can be made of an address, which no attempt would mend; undefined for one that can be tried. Opens nothing. */
export function inputFault(spec: InputSpec): InputEnd | undefined {
  const scheme = /^([a-z][a-z0-9]*):\/\//.exec(spec.url)?.[1] ?? '';
  const parsed = Object.hasOwn(PARSERS, scheme) ? PARSERS[scheme]?.(spec) : undefined;
  return parsed && isInputEnd(parsed) ? parsed : undefined;
}

/** Makes inputs of every kind that runs inside a media thread. */
export function inputMaker(options: InputMakerOptions): MakeInput {
  return (spec, sink, streamName) => {
    const scheme = /^([a-z][a-z0-9]*):\/\//.exec(spec.url)?.[1];
    if (scheme === undefined)
      throw thrown({
        code: 'bad_input_url',
        detail: `${maskSecrets(spec.url)} does not begin with a scheme such as udp://`,
      });
    const make = Object.hasOwn(MAKERS, scheme) ? MAKERS[scheme] : undefined;
    if (!make) throw thrown({ code: 'input_not_supported', detail: `${scheme}:// is not an input that Airdesk reads` });
    return make(spec, sink, options, streamName);
  };
}

function openFile(
  spec: InputSpec,
  sink: InputSink,
  { clock, fileRoot, allowed, foreign, turns }: InputMakerOptions,
): Input {
  const options = optionsOf(spec);
  const question = spec.url.indexOf('?');
  const path = spec.url.slice('file://'.length, question < 0 ? undefined : question);
  const program = Number(options.get('program') ?? 0);
  const openOther = otherFiles(clock, foreign);
  return new FileInput(
    {
      path,
      root: fileRoot,
      locate: allowed.locateConfigured,
      loop: options.get('loop') !== 'false',
      clock,
      turns,
      openOther,
      ...(program > 0 ? { program } : {}),
    },
    sink,
  );
}

function openPlaylist(
  spec: InputSpec,
  sink: InputSink,
  { clock, fileRoot, allowed, foreign, playlists, turns }: InputMakerOptions,
  streamName: string,
): Input {
  const path = spec.url.slice('playlist://'.length).replace(/\?.*$/, '');
  const loop = optionsOf(spec).get('loop') !== 'false';
  const input = new PlaylistInput(
    {
      path,
      root: fileRoot,
      locate: allowed.locateConfigured,
      locateEntry: allowed.locate,
      loop,
      clock,
      turns,
      openOther: otherFiles(clock, foreign),
    },
    sink,
  );
  playlists.add(streamName, input);
  return input;
}

function openCopy(spec: InputSpec, sink: InputSink, { clock, copies }: InputMakerOptions, follower: string): Input {
  const { source } = checked(copyAddress(spec));
  return new CopyInput({ source, follower, port: copies, clock }, sink);
}

/** What opens files of all kinds that Airdesk has no reader of its own for. */
function otherFiles(clock: Clock, foreign: InputMakerOptions['foreign']): NonNullable<FileInputOptions['openOther']> {
  return ({ path, ...rest }, sink) =>
    new ExternalInput(
      { ...foreign, clock, ...rest, address: { kind: 'file', url: `file:${path}`, options: {} } },
      sink,
    );
}

function openExternal(spec: InputSpec, sink: InputSink, { clock, foreign, budget, hosts }: InputMakerOptions): Input {
  const address = checked(foreignAddress(spec));
  const home = calledHost(address);
  const limits = home ? { limits: () => hosts.from(home).limits() } : {};
  const program = Number(optionsOf(spec).get('program') ?? 0);
  return new ExternalInput(
    { ...foreign, clock, address, budget, ...limits, ...(program > 0 ? { program } : {}) },
    sink,
  );
}

function openUdp(spec: InputSpec, sink: InputSink, { budget }: InputMakerOptions): Input {
  return new UdpInput({ address: checked(udpAddress(spec)), budget }, sink);
}

/** RTP that carries MPEG-TS says all by itself; for anything else a file of the Session Description Protocol (RFC 8866) says what comes where. */
function openRtp(spec: InputSpec, sink: InputSink, options: InputMakerOptions): Input {
  const sdp = optionsOf(spec).get('sdp');
  if (sdp === undefined) return openUdp(spec, sink, options);
  const { clock, fileRoot, allowed, foreign, turns } = options;
  const path = resolve(fileRoot, sdp);
  return new ExternalInput(
    {
      ...foreign,
      clock,
      address: { kind: 'sdp', url: `file:${path}`, options: {} },
      locate: () => turns.run(path, async () => `file:${await allowed.locateConfigured(path)}`),
    },
    sink,
  );
}

function openTsHttp(spec: InputSpec, sink: InputSink, { budget, hosts }: InputMakerOptions): Input {
  const userAgent = spec.options['user_agent'];
  const address = checked(tsHttpAddress(spec));
  return new TsHttpInput(
    {
      address,
      budget,
      hosts,
      isInsecure: spec.options['insecure'] === 'true',
      ...(userAgent === undefined ? {} : { userAgent }),
    },
    sink,
  );
}

function openHls(spec: InputSpec, sink: InputSink, { clock, hosts, budget }: InputMakerOptions): Input {
  return new HlsInput({ settings: checked(hlsAddress(spec)), clock, hosts, budget }, sink);
}

function copyAddress({ url }: InputSpec): { readonly source: string } | InputEnd {
  const written = url.slice('copy://'.length).replace(/[?#].*$/, '');
  if (written === '') return { code: 'bad_input_url', detail: 'copy:// names no stream' };
  try {
    return { source: decodeURI(written) };
  } catch {
    return { code: 'bad_input_url', detail: 'A % in the name after copy:// begins no escape' };
  }
}

function foreignAddress({ url, options }: InputSpec): ReturnType<typeof parseExternalAddress> {
  return parseExternalAddress(url, options);
}

function udpAddress(spec: InputSpec): ReturnType<typeof parseUdpAddress> {
  return parseUdpAddress(withOptions(spec, ['program', 'interface', 'localaddr']));
}

function tsHttpAddress(spec: InputSpec): ReturnType<typeof parseTsHttpAddress> {
  return parseTsHttpAddress(withOptions(spec, ['program']));
}

function hlsAddress({ url, options }: InputSpec): ReturnType<typeof parseHlsAddress> {
  return parseHlsAddress(url, options);
}

/** The address with some of the options behind it moved into its query. */
function withOptions(spec: InputSpec, names: readonly string[]): string {
  const query = names.flatMap((name) => {
    const value = spec.options[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  if (query.length === 0) return spec.url;
  return `${spec.url}${spec.url.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Options of an input: the query of its address, and over them what is written behind it. */
function optionsOf(spec: InputSpec): ReadonlyMap<string, string> {
  const question = spec.url.indexOf('?');
  const options = new Map(question < 0 ? [] : new URLSearchParams(spec.url.slice(question + 1)));
  for (const [name, value] of Object.entries(spec.options)) options.set(name, value);
  return options;
}

/** What a parser of addresses gave, unless it is a refusal. */
function checked<Parsed extends object>(parsed: Parsed | InputEnd): Parsed {
  if (isInputEnd(parsed)) throw thrown(parsed);
  return parsed;
}

function isInputEnd(value: object): value is InputEnd {
  return 'code' in value && 'detail' in value;
}

/** The end of an input as an error, for makers of inputs. */
function thrown(end: InputEnd): Error & InputEnd {
  return Object.assign(new Error(end.detail), end);
}
