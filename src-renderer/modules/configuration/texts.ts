import type { ConfigImpact } from '../../../src-preload/contract/config-impact.ts';
import { translated } from '../../i18n/translated.ts';
import { DE, IMPACT_DE, PHRASES_DE, SUMMARY_WORDS_DE, UNITS_DE } from './texts-de.ts';

const count = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

/** The words of the page of the configuration. */
export const TEXTS = translated(
  'configuration',
  {
    title: 'Configuration',
    editor: 'Text of the configuration',
    views: 'Views',
    text: 'Text',
    changes: 'Changes',
    history: 'History',
    loading: 'Waiting for the configuration',
    noRight: 'This login may look at streams, not at the configuration',
    noRightHelp: 'Its comments and addresses may hold anything, so reading it takes the right to change it.',
    failed: 'The configuration could not be read',
    tryAgain: 'Try again',
    unchanged: 'No changes',
    changed: 'Changed, not applied',
    checking: 'Checking …',
    mistakes: (many: number) => count(many, 'mistake'),
    warnings: (many: number) => count(many, 'warning'),
    problems: 'Mistakes and warnings',
    place: (line: number, column: number) => `line ${line}, column ${column}`,
    apply: 'Apply',
    tryFor: 'Apply for',
    seconds: 'seconds',
    tryHelp: 'It is taken back by itself unless it is kept, also when this window is closed.',
    discard: 'Discard',
    discardTitle: 'Discard the changes?',
    discardBody: 'What was changed here and not applied is lost.',
    undo: 'Undo',
    applied: 'The configuration was applied.',
    appliedFor: (seconds: number) => `Applied for ${seconds} seconds. Keep it or take it back in the bar above.`,
    onTrial: 'A change is on probation: keep it or take it back first',
    offline: 'No connection: nothing can be applied now',
    tooLong: 'This text is too long for the desk. Edit the file, or send it by HTTP.',
    since: 'Something else was put into force since you began',
    sinceHelp: 'Your text is as you left it. Take the other changes in, then look at yours and apply them.',
    merge: 'Take the other changes in',
    showSince: 'What changed meanwhile',
    hideSince: 'Back to my text',
    merged: 'The other changes are in your text now.',
    conflicts: (many: number) =>
      `${count(many, 'place')} ${many === 1 ? 'was' : 'were'} changed by both: choose between the lines marked <<<<<<< and >>>>>>>.`,
    nothing: 'It changes nothing that runs',
    noDifference: 'The two are the same, as far as may be shown',
    find: 'Search',
    ofStream: 'Configuration',
    ofStreamShow: 'Show and change it here',
    ofStreamGone: 'It is not in the configuration any more.',
    ofStreamText: 'As text',
    form: 'Form',
    noBlock: 'Put the cursor into a stream, live prefix or template to see its settings here.',
    addSetting: 'Add a setting …',
    addOption: (name: string) => `Add an option to ${name}`,
    option: 'option …',
    none: '–',
    remove: (name: string) => `Remove ${name}`,
    inText: 'This is changed in the text.',
    unknown: 'The server does not know this directive',
    noEffect: 'no effect yet',
    secretSet: 'set; enter a new one',
    help: 'Help',
    historyFailed: 'The history could not be read',
    noHistory: 'There are no versions yet',
    version: 'Version',
    when: 'When',
    who: 'Who',
    where: 'From where',
    what: 'What',
    state: 'State',
    current: 'in force',
    onProbation: 'on probation',
    takenBack: 'taken back',
    notSaved: 'not in the file',
    compareBefore: 'Its changes',
    compareCurrent: 'Against current',
    compareOther: 'Against …',
    compareWith: (id: number) => `Against ${id}`,
    compareNone: 'Taken; choose another',
    versionsTitle: (older: number, newer: number) => `From version ${older} to ${newer}`,
    edit: 'Edit it',
    restore: 'Restore',
    restored: (id: number) => `Version ${id} is in force again.`,
    restoreTitle: (id: number) => `Put version ${id} into force again?`,
    restoreBody: 'It becomes a new version, so that this can be undone.',
    more: 'Show older ones',
    versionTitle: (id: number) => `Version ${id}`,
    back: 'Back to the list',
    loseTitle: 'Replace your changes?',
    loseBody: 'What was changed here and not applied is lost.',
    replace: 'Replace',
    unitOf: (unit: string) => `Unit without one: ${unit}`,
    defaultOf: (value: string) => `Default: ${value}`,
    doesRestart: 'A change restarts what it concerns',
    doesNotRestart: 'A change interrupts nothing',
    hasNoEffect: 'It has no effect in this version',
  },
  DE,
);

const IMPACT = translated(
  'configImpact',
  {
    ends: (many: number, names: string) => `ends ${count(many, 'stream')}${names}`,
    restarts: (many: number, names: string) => `restarts ${count(many, 'stream')}${names}`,
    interrupts: (many: number) => `interrupts ${count(many, 'viewer')}`,
    disconnects: (many: number) => `disconnects ${count(many, 'encoder')}`,
    closes: (port: string) => `closes port ${port}`,
    opens: (port: string) => `opens port ${port}`,
    adds: (many: number, names: string) => `adds ${count(many, 'stream')}${names}`,
    updates: (many: number, names: string) => `updates ${count(many, 'stream')} without a break${names}`,
    prefixes: (many: number, names: string) =>
      `changes ${count(many, 'live prefix or template', 'live prefixes or templates')}${names}`,
    settings: (names: string) => `changes ${names}`,
    order: 'changes the order of streams',
  },
  IMPACT_DE,
);

/** Sentences on what a change would do, the worst first; empty where nothing would happen. */
export function impactWords(impact: ConfigImpact): { readonly text: string; readonly isBad: boolean }[] {
  const { removed, restarted, added, updated, prefixes, viewers, publishers, settings } = impact;
  const named = (
    { count: many, names: list }: ConfigImpact['added'],
    words: (many: number, names: string) => string,
  ): string => (many === 0 ? '' : words(many, `: ${list.slice(0, 5).join(', ')}${many > 5 ? ', …' : ''}`));
  const bad = [
    named(removed, IMPACT.ends),
    named(restarted, IMPACT.restarts),
    viewers > 0 ? IMPACT.interrupts(viewers) : '',
    publishers > 0 ? IMPACT.disconnects(publishers) : '',
    ...impact.ports_closed.map((port) => IMPACT.closes(port)),
  ];
  const good = [
    ...impact.ports_opened.map((port) => IMPACT.opens(port)),
    named(added, IMPACT.adds),
    named(updated, IMPACT.updates),
    named(prefixes, IMPACT.prefixes),
    settings.length > 0 ? IMPACT.settings(settings.join(', ')) : '',
    impact.is_reordered ? IMPACT.order : '',
  ];
  const said = (texts: readonly string[], isBad: boolean): { readonly text: string; readonly isBad: boolean }[] =>
    texts.filter((text) => text !== '').map((text) => ({ text, isBad }));
  return [...said(bad, true), ...said(good, false)];
}

/** Directives that lock people out where they are wrong. */
const ACCESS: ReadonlySet<string> = new Set([
  'view_auth',
  'edit_auth',
  'api_auth',
  'api_token',
  'ssl_certificate',
  'ssl_certificate_key',
  'https_redirect',
]);

/** Whether a change could lock the operator out: it is better tried first. */
export function isRisky(impact: ConfigImpact): boolean {
  return impact.ports_closed.length > 0 || impact.settings.some((name) => ACCESS.has(name));
}

/** What the editor itself says, by its English. */
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

/** Words of what a version changed. */
export const SUMMARY_WORDS: Readonly<Record<string, string>> = translated(
  'configSummary',
  {
    streams: 'streams',
    lives: 'live prefixes',
    templates: 'templates',
    added: 'added',
    removed: 'removed',
    changed: 'changed',
    'order of streams': 'order of streams',
    plugins: 'plugins',
  },
  SUMMARY_WORDS_DE,
);

/** Units of settings. */
const UNITS: Readonly<Record<string, string>> = translated(
  'configUnits',
  { seconds: 'seconds', milliseconds: 'milliseconds', bytes: 'bytes', connections: 'connections' },
  UNITS_DE,
);

/** The unit of a setting in words. */
export function unitWord(unit: string): string {
  return UNITS[unit] ?? unit;
}
