import { translated } from '../i18n/translated.ts';
import { SUMMARY_LABELS_DE } from './summary-texts-de.ts';

/** Words of version summaries. */
export const SUMMARY_LABELS: Readonly<Record<string, string>> = translated(
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
    'the first version': 'the first version',
    'nothing but spacing and comments': 'nothing but spacing and comments',
  },
  SUMMARY_LABELS_DE,
);
