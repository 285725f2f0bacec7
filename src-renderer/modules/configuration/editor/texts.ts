import type { ConfigImpact } from '../../../../src-preload/contract/operations/config-impact.ts';
import { translated } from '../../../i18n/translated.ts';
import { DE, PHRASES_DE, UNITS_DE } from './texts-de.ts';

const count = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

/** Texts of the configuration page. */
export const TEXTS = translated(
  'configuration',
  {
    editor: 'Configuration text',
    views: 'Views',
    text: 'Text',
    changes: 'Changes',
    history: 'History',
    loading: 'Loading the configuration',
    noRight: 'This login cannot view the configuration',
    noRightHelp: 'The configuration can contain secrets. You need the right to change it to read it.',
    failed: 'The configuration could not be read',
    tryAgain: 'Try again',
    unchanged: 'No changes',
    changed: 'Unapplied changes',
    checking: 'Checking …',
    errorCount: (many: number) => count(many, 'error'),
    warnings: (many: number) => count(many, 'warning'),
    problems: 'Errors and warnings',
    writeName: (name: string): string => `Write ${name}`,
    place: (line: number, column: number) => `line ${line}, column ${column}`,
    apply: 'Apply',
    tryFor: 'Apply for',
    seconds: 'seconds',
    tryHelp: 'The change is reverted automatically unless you keep it, even if this window is closed.',
    discard: 'Discard',
    discardTitle: 'Discard the changes?',
    discardBody: 'Changes that were not applied are lost.',
    undo: 'Undo',
    applied: 'The configuration was applied.',
    appliedFor: (seconds: number) => `Applied for ${seconds} seconds. Keep or revert it in the bar above.`,
    onTrial: 'A change is on trial. Keep or revert it first.',
    offline: 'No connection. Changes cannot be applied now.',
    tooLong: 'This text is too long for the desk. Edit the file on the server, or send it by HTTP.',
    changedMeanwhile: 'The configuration was changed while you were editing',
    changedMeanwhileHelp: 'Your text was not touched. Merge the other changes, then review yours and apply them.',
    merge: 'Merge the other changes',
    showOtherChanges: 'Show the other changes',
    hideOtherChanges: 'Back to my text',
    merged: 'The other changes were merged into your text.',
    conflicts: (many: number) => `${count(many, 'conflict')}: choose between the lines marked <<<<<<< and >>>>>>>.`,
    nothing: 'No running stream is affected',
    noDifference: 'No visible differences',
    find: 'Search',
    form: 'Form',
    noBlock: 'Place the cursor in a stream, live prefix or template to see its settings here.',
    help: 'Help',
    historyFailed: 'The history could not be read',
    noHistory: 'No versions yet',
    version: 'Version',
    when: 'When',
    who: 'Who',
    where: 'Source',
    what: 'Changes',
    state: 'State',
    current: 'in force',
    onProbation: 'on trial',
    reverted: 'reverted',
    notSaved: 'not saved to the file',
    compareBefore: 'Show changes',
    compareCurrent: 'Compare with current',
    compareOther: 'Compare with …',
    compareWith: (id: number) => `Compare with ${id}`,
    compareNone: 'Selected. Choose another version.',
    versionsTitle: (older: number, newer: number) => `From version ${older} to ${newer}`,
    edit: 'Edit',
    restore: 'Restore',
    restored: (id: number) => `Version ${id} is in force again.`,
    restoreTitle: (id: number) => `Restore version ${id}?`,
    restoreBody: 'This creates a new version, so you can undo it.',
    more: 'Show older',
    versionTitle: (id: number) => `Version ${id}`,
    back: 'Back to the list',
    replaceTitle: 'Replace your changes?',
    replaceBody: 'Changes that were not applied are lost.',
    replace: 'Replace',
    unitOf: (unit: string) => `Default unit: ${unit}`,
    defaultOf: (value: string) => `Default: ${value}`,
    doesRestart: 'A change restarts the streams concerned',
    doesNotRestart: 'A change does not interrupt anything',
    hasNoEffect: 'No effect in this version of Airdesk',
  },
  DE,
);

/** Directives that lock users out if they are wrong. */
const ACCESS: ReadonlySet<string> = new Set([
  'view_auth',
  'edit_auth',
  'api_auth',
  'api_token',
  'ssl_certificate',
  'ssl_certificate_key',
  'https_redirect',
]);

/** True if a change could lock the operator out and should be applied on trial first. */
export function isRisky(impact: ConfigImpact): boolean {
  return impact.ports_closed.length > 0 || impact.settings.some((name) => ACCESS.has(name));
}

/** Texts of the editor component, by their English original. */
export const PHRASES: Readonly<Record<string, string>> = translated(
  'editorPhrases',
  {
    'Fold line': 'Fold line',
    'Unfold line': 'Unfold line',
    'folded code': 'folded code',
    unfold: 'unfold',
    Find: 'Find',
    Replace: 'Replace',
    next: 'next',
    previous: 'previous',
    all: 'all',
    'match case': 'match case',
    regexp: 'regexp',
    'by word': 'by word',
    replace: 'replace',
    'replace all': 'replace all',
    close: 'close',
    'Go to line': 'Go to line',
    go: 'go',
    'current match': 'current match',
    'on line': 'on line',
    'replaced match on line $': 'replaced match on line $',
    'replaced $ matches': 'replaced $ matches',
    Completions: 'Completions',
    Diagnostics: 'Diagnostics',
    'No diagnostics': 'No diagnostics',
    'Control character': 'Control character',
    '$ unchanged lines': '$ unchanged lines',
  },
  PHRASES_DE,
);

/** Units of settings. */
const UNITS: Readonly<Record<string, string>> = translated(
  'configUnits',
  { seconds: 'seconds', milliseconds: 'milliseconds', bytes: 'bytes', connections: 'connections' },
  UNITS_DE,
);

/** Label of a unit. */
export function unitLabel(unit: string): string {
  return UNITS[unit] ?? unit;
}
