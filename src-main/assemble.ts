import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isoTime, systemClock } from './lib/clock.ts';
import { systemMachineTime } from './lib/machine-time.ts';
import { standardError } from './lib/line-output.ts';
import { AirdeskServer } from './server.ts';
import type { Log, LogFields } from './lib/log.ts';

export interface AssembleOptions {
  readonly dataFolder: string;
  /** Default: `airdesk.conf` in the data folder. */
  readonly configFile?: string | undefined;
  /** True if the configuration file was opened by a double click; default false. */
  readonly isConfigOpened?: boolean;
  /** `debug`, `info`, `warn` or `error`; default `AIRDESK_LOG_LEVEL` of the environment, or `info`. */
  readonly logLevel?: string | undefined;
  /** True if the window has the sandbox of Chromium, or if there is no window; default true. */
  readonly hasSandbox?: boolean;
  /** Starts codec processes if this process may not fork them itself. */
  readonly codecHost?: ConstructorParameters<typeof AirdeskServer>[0]['codecHost'];
}

/** Creates the server with the files of this installation, which runs from its build or from its sources. */
export async function assembleServer(options: AssembleOptions): Promise<AirdeskServer> {
  const here = import.meta.url;
  const isBuilt = !here.endsWith('.ts');
  const root = new URL(isBuilt ? '../..' : '..', here);
  const deskFolder = fileURLToPath(new URL('out/renderer', root));
  // package.json is part of the application and contains its version.
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
  return new AirdeskServer({
    dataFolder: options.dataFolder,
    ...(options.configFile === undefined ? {} : { configFile: options.configFile }),
    isConfigOpened: options.isConfigOpened ?? false,
    version,
    resources: fileURLToPath(new URL('resources', root)),
    // The build copies the library, because packages do not contain dependencies of the build.
    playerLibraryFolder: fileURLToPath(isBuilt ? new URL('player', here) : new URL('node_modules/hls.js/dist', root)),
    ...(existsSync(deskFolder) ? { deskFolder } : {}),
    mediaThreadEntry: siblingEntry('media-thread', here),
    databaseThreadEntry: siblingEntry('database-thread', here),
    codecProcessEntry: siblingEntry('codec-process', here),
    exportThreadEntry: siblingEntry('export-thread', here),
    indexThreadEntry: siblingEntry('index-thread', here),
    hasSandbox: options.hasSandbox ?? true,
    ...(options.codecHost === undefined ? {} : { codecHost: options.codecHost }),
    clock: systemClock,
    machine: systemMachineTime,
    log: consoleLog(options.logLevel ?? process.env['AIRDESK_LOG_LEVEL'] ?? 'info'),
  });
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Log on standard error, with one line per message: time, level, message, and fields as `name=value`. */
function consoleLog(level: string): Log {
  const minLevel = Math.max(
    0,
    LEVELS.findIndex((name) => name === level),
  );
  const write =
    (name: (typeof LEVELS)[number]) =>
    (message: string, fields: LogFields = {}): void => {
      if (LEVELS.indexOf(name) < minLevel) return;
      const facts = Object.entries(fields).flatMap(([key, value]) =>
        value === undefined ? [] : [` ${key}=${JSON.stringify(value)}`],
      );
      standardError.line(`${isoTime(systemClock.now())} ${name} ${message}${facts.join('')}`);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/**
 * Address of an entry file next to the calling module: the source file if the module runs from source, otherwise the
 * built file.
 *
 * @param name file name without extension, for example `media-thread`
 * @param from `import.meta.url` of the caller
 */
function siblingEntry(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
