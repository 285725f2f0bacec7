/** German texts of the people page. */
export const DE = {
  loading: 'Personen werden geladen',
  failed: 'Die Personen konnten nicht geladen werden',
  tryAgain: 'Erneut versuchen',
  notAllowed: 'Nur Administratoren können Personen verwalten. Melden Sie sich als Administrator an.',
  none: 'Noch keine Personen',
  noneHelp:
    'Geben Sie jeder Person ein eigenes Login. Dann sieht sie nur, was sie braucht, und der Server hält fest, wer was getan hat.',
  noLoginToView:
    'Wer den Server erreicht, kann alles ansehen. Damit dafür ein Login nötig ist, setzen Sie view_auth in der Konfiguration.',
  noEditAuth: 'edit_auth ist nicht gesetzt. Die erste Person muss ein Administrator sein.',
  add: 'Person hinzufügen',
  count: (count: number): string => `${count} ${count === 1 ? 'Person' : 'Personen'}`,
  login: 'Login',
  loginHint: 'Buchstaben, Ziffern und . _ - @',
  name: 'Voller Name',
  role: 'Rolle',
  streams: 'Streams',
  allStreams: 'Alle Streams',
  streamsHint:
    'Um diese Person zu beschränken, geben Sie Namen von Streams oder deren Anfang ein, etwa field/. Trennen Sie mit Kommas.',
  limitedHint: 'Sieht und steuert nur diese Streams und die darunter. Seiten über den ganzen Server sind ausgeblendet.',
  limitedClerkHint:
    'Abonnenten betreffen alle Streams, daher sieht eine beschränkte Person mit dieser Rolle nur das Protokoll dieser Streams.',
  below: (prefix: string): string => `${prefix}/`,
  state: 'Zustand',
  enabled: 'Aktiv',
  disabled: 'Gesperrt',
  password: 'Passwort',
  passwordHint: 'Mindestens 8 Zeichen. Ein Satz aus mehreren Wörtern ist leicht zu merken.',
  suggest: 'Vorschlagen',
  created: 'Hinzugefügt',
  createdBy: (day: string, by: string): string => `${day} von ${by}`,
  edit: 'Ändern',
  editTitle: (login: string): string => `${login} ändern`,
  save: 'Speichern',
  cancel: 'Abbrechen',
  newPassword: 'Neues Passwort',
  newPasswordTitle: (login: string): string => `Neues Passwort für ${login}`,
  newPasswordBody: 'Diese Person wird in allen Browsern abgemeldet.',
  setPassword: 'Passwort setzen',
  passwordSet: (login: string): string => `${login} hat ein neues Passwort.`,
  added: (login: string): string => `${login} wurde hinzugefügt. Geben Sie der Person Login und Passwort.`,
  disable: 'Sperren',
  enable: 'Freigeben',
  disableTitle: (login: string): string => `${login} sperren?`,
  disableBody:
    'Diese Person wird sofort in allen Browsern abgemeldet und kann sich erst wieder anmelden, wenn Sie das Login freigeben.',
  remove: 'Entfernen',
  removeTitle: (login: string): string => `${login} entfernen?`,
  removeBody:
    'Diese Person wird sofort in allen Browsern abgemeldet. Frühere Einträge in Protokollen und Alarmen behalten den Namen. Sie können das Login später einer anderen Person geben.',
  removed: (login: string): string => `${login} wurde entfernt.`,
  sessions: 'Angemeldete Browser',
  noSessions: 'Kein Browser ist angemeldet.',
  browser: 'Browser',
  address: 'Adresse',
  started: 'Seit',
  used: 'Zuletzt benutzt',
  thisBrowser: 'dieser Browser',
  end: 'Abmelden',
  endTitle: (login: string): string => `${login} in diesem Browser abmelden?`,
  endBody: 'Der Browser fragt dann nach einem Login.',
  actions: 'Aktionen',
  actionsOf: (login: string): string => `Aktionen für ${login}`,
};

/** German texts of the roles. */
export const ROLES_DE = {
  viewer: { label: 'Zuschauer', hint: 'Wand, Alarme und Archiv, ohne Änderungen' },
  operator: { label: 'Bediener', hint: 'Streams, Eingänge, Alarme, Werbeblöcke, Zuschauer und das Protokoll' },
  editor: { label: 'Redakteur', hint: 'Clips, Werbeblöcke und Exporte' },
  clerk: { label: 'Sachbearbeiter', hint: 'Abonnenten und das Protokoll' },
  administrator: { label: 'Administrator', hint: 'Alles, auch die Konfiguration und Personen' },
};

/** German texts of refusals. */
export const REFUSALS_DE = {
  person_exists: 'Dieses Login wird bereits benutzt. Wählen Sie ein anderes.',
  last_administrator:
    'Mindestens ein Login muss den Server verwalten können. Machen Sie zuerst eine andere Person zum Administrator aller Streams, oder setzen Sie edit_auth in der Konfiguration.',
  bad_request:
    'Prüfen Sie Login und Streams. Ein Login hat Buchstaben, Ziffern und . _ - @, am Anfang ein Buchstabe oder eine Ziffer. Streams sind Namen wie field/van.',
};
