import { translated } from '../../i18n/translated.ts';
import { DE } from './texts-de.ts';

/** Texts about the check of inputs. */
export const TEXTS = translated(
  'probe',
  {
    check: 'Check address',
    checking: 'Opening the input …',
    cancel: 'Cancel',
    found: 'The input carries',
    nothing: 'Nothing that Airdesk can carry',
    picture: 'Picture of the input',
    noPicture: 'No picture',
  },
  DE,
);
