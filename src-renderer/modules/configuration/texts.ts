import type { ConfigImpact } from '../../../src-preload/contract/config-impact.ts';

const count = (many: number, one: string, more = `${one}s`): string => `${many} ${many === 1 ? one : more}`;

/** The words of the page of the configuration. */
export const TEXTS = {
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
  merged: 'The other changes are in your text now.',
  conflicts: (many: number) =>
    `${count(many, 'place')} ${many === 1 ? 'was' : 'were'} changed by both: choose between the lines marked <<<<<<< and >>>>>>>.`,
  nothing: 'It changes nothing that runs',
  noDifference: 'The two are the same, as far as may be shown',
  find: 'Search',
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
} as const;

/** Sentences on what a change would do, the worst first; empty where nothing would happen. */
export function impactWords(impact: ConfigImpact): { readonly text: string; readonly isBad: boolean }[] {
  const { removed, restarted, added, updated, prefixes, viewers, publishers, settings } = impact;
  const names = ({ count: many, names: list }: ConfigImpact['added']): string =>
    `: ${list.slice(0, 5).join(', ')}${many > 5 ? ', …' : ''}`;
  const bad = [
    removed.count > 0 ? `ends ${count(removed.count, 'stream')}${names(removed)}` : '',
    restarted.count > 0 ? `restarts ${count(restarted.count, 'stream')}${names(restarted)}` : '',
    viewers > 0 ? `interrupts ${count(viewers, 'viewer')}` : '',
    publishers > 0 ? `disconnects ${count(publishers, 'encoder')}` : '',
    ...impact.ports_closed.map((port) => `closes port ${port}`),
  ];
  const good = [
    ...impact.ports_opened.map((port) => `opens port ${port}`),
    added.count > 0 ? `adds ${count(added.count, 'stream')}${names(added)}` : '',
    updated.count > 0 ? `updates ${count(updated.count, 'stream')} without a break${names(updated)}` : '',
    prefixes.count > 0
      ? `changes ${count(prefixes.count, 'live prefix or template', 'live prefixes or templates')}${names(prefixes)}`
      : '',
    settings.length > 0 ? `changes ${settings.join(', ')}` : '',
    impact.is_reordered ? 'changes the order of streams' : '',
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
