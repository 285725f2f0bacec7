/** German texts about the check of inputs. */
export const DE = {
  check: 'Adresse prüfen',
  checking: 'Der Eingang wird geöffnet …',
  cancel: 'Abbrechen',
  found: 'Das liefert der Eingang',
  nothing: 'Nichts, was Airdesk übertragen kann',
  picture: 'Bild des Eingangs',
  noPicture: 'Kein Bild',
};
