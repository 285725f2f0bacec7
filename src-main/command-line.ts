import { parseArgs } from 'node:util';
import { suggest } from './lib/suggest.ts';

/** Parsed command line of the headless server. */
export type CommandLine =
  | {
      readonly kind: 'serve';
      readonly config: string | undefined;
      readonly data: string | undefined;
      readonly logLevel: string | undefined;
    }
  | { readonly kind: 'hash-password' }
  /** Print the usage and exit with code 0. */
  | { readonly kind: 'help' }
  /** Print the message and exit with code 2. */
  | { readonly kind: 'wrong'; readonly message: string };

/** Usage of the headless server, printed by `--help`. */
export const USAGE = `usage: npm run serve -- [OPTIONS]

  --config FILE       configuration file; default airdesk.conf in the data folder
  --data DIR          data folder; default the application data folder of this user
  --log-level LEVEL   debug, info, warn or error; default AIRDESK_LOG_LEVEL of the environment, or info
  --hash-password     read a password, print its hash for the configuration, and exit
  --help              print this text and exit
`;

const OPTIONS = {
  config: { type: 'string' },
  data: { type: 'string' },
  'log-level': { type: 'string' },
  'hash-password': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const LEVELS = ['debug', 'info', 'warn', 'error'];

const FLAGS = Object.keys(OPTIONS).map((name) => `--${name}`);

/** Parses the arguments of the headless server. The last value of a repeated option counts. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens, values } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    const message =
      token.kind === 'positional'
        ? `unexpected argument ${token.value}; options start with --`
        : token.kind === 'option'
          ? wrongOption(token)
          : undefined;
    if (message !== undefined) return { kind: 'wrong', message };
  }
  if (values.help) return { kind: 'help' };
  if (values['hash-password']) return { kind: 'hash-password' };
  const text = (name: 'config' | 'data' | 'log-level'): string | undefined => values[name]?.toString();
  const logLevel = text('log-level');
  if (logLevel !== undefined && !LEVELS.includes(logLevel)) {
    return { kind: 'wrong', message: `unknown log level ${logLevel}; use ${LEVELS.join(', ')}` };
  }
  return { kind: 'serve', config: text('config'), data: text('data'), logLevel };
}

/** Message about a wrong option; undefined if it is correct. */
function wrongOption(option: {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}): string | undefined {
  const { name, rawName, value, inlineValue } = option;
  if (!isKnown(name)) {
    const suggestion = suggest(rawName, FLAGS);
    return `unknown option ${rawName}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`;
  }
  if (OPTIONS[name].type === 'boolean') return value === undefined ? undefined : `${rawName} takes no value`;
  // A separate value that starts with "-" is the next option, so the value is missing.
  const isMissing = value === undefined || value === '' || (inlineValue !== true && value.startsWith('-'));
  return isMissing ? `${rawName} needs a value` : undefined;
}

function isKnown(name: string): name is keyof typeof OPTIONS {
  return Object.hasOwn(OPTIONS, name);
}
