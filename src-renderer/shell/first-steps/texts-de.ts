/** German texts of the first steps. */
export const DE = {
  title: 'Diesen Server einrichten',
  place: (at: number, count: number) => `Schritt ${at} von ${count}`,
  steps: ['Zugriff im Netz', 'Aufzeichnung', 'Erster Stream'],
  reading: 'Die Konfiguration wird geladen',
  later: 'Nicht jetzt',
  back: 'Zurück',
  next: 'Weiter',
  finish: 'Fertig',
  again: 'Erneut versuchen',
  reach: 'Wer diesen Server erreichen kann',
  here: 'Nur dieser Rechner',
  hereHint: 'zum Ausprobieren',
  network: 'Das ganze Netz',
  networkHint: 'Player, Encoder und Pulte auf anderen Rechnern',
  httpPort: 'HTTP-Port (Pult und Player)',
  rtmpPort: 'RTMP-Port (Encoder)',
  rtmpHint: 'Leer lassen, wenn Encoder kein RTMP benutzen.',
  login: 'Benutzer',
  password: 'Passwort für Änderungen',
  passwordHint:
    'Ohne Passwort sind Änderungen nur auf diesem Rechner möglich. Das Pult fragt beim nächsten Mal danach.',
  viewPassword: 'Passwort zum Ansehen',
  viewPasswordHint: 'Für den Benutzer viewer, der das Pult sieht und nichts ändert. Ohne es darf jeder zusehen.',
  asksForChanges:
    'Andere offene Pulte müssen sich anmelden, bevor sie etwas ändern, ebenso Programme, die die API benutzen. Encoder und Player sind nicht betroffen. Zusehen darf weiterhin jeder.',
  asksForAll:
    'Andere offene Pulte werden sofort nach einem Login gefragt, ebenso Programme, die die API benutzen. Encoder und Player sind nicht betroffen.',
  needsPassword: 'Geben Sie ein Passwort ein.',
  setLogin: 'Login festlegen',
  loginIsSet: 'Das Login ist festgelegt. Geben Sie jeder Person auf der Seite Personen ein eigenes.',
  close: 'Schließen',
  noLoginMeans:
    'Kein Login ist festgelegt. Wer diesen Server erreicht, kann ihn ansehen. Ändern lässt er sich nur auf dem Server selbst. Player brauchen nie ein Login.',
  noLoginDo:
    'Um ein Login festzulegen, öffnen Sie das Pult auf dem Rechner des Servers, oder fügen Sie diese Zeilen mit eigenen Passwörtern in seine Konfiguration ein:',
  noLoginHash: [
    'Das erste Login darf alles ändern, das zweite nur ansehen.',
    'erzeugt einen Hash, der ein Passwort ersetzt.',
  ],
  samePassword: 'Wählen Sie ein Passwort, das vom anderen Feld abweicht. Es wäre schnell erraten.',
  openToAll:
    'Ohne Passwort kann jeder im Netz dieses Pult sehen und jeden Stream ansehen, und an Streams ohne eigenes Passwort senden.',
  disconnects: (encoders: number, viewers: number) => {
    const ended = [
      ...(encoders > 0 ? [`${encoders} Encoder ${encoders === 1 ? 'muss' : 'müssen'} sich neu verbinden`] : []),
      ...(viewers > 0
        ? [`${viewers} Zuschauer ${viewers === 1 ? 'verliert' : 'verlieren'} vielleicht kurz das Bild`]
        : []),
    ];
    return `Das ändert Ports, die gerade offen sind. Verbindungen dorthin enden: ${ended.join(', und ')}.`;
  },
  hasLogin: 'Ein Login für Änderungen ist bereits festgelegt.',
  folder: 'Ordner für Aufzeichnungen',
  folderHint: 'Ein Pfad ohne Schrägstrich am Anfang liegt im Datenordner. Leer lassen, um nichts aufzuzeichnen.',
  recordsFirst: 'Den ersten Stream aufzeichnen',
  days: 'Aufzeichnungen behalten (Tage)',
  hasArchive: 'Ein Ordner für Aufzeichnungen ist bereits festgelegt.',
  streamName: 'Name des Streams',
  streamHint: 'Teil der Adressen des Streams. Leer lassen, um später einen hinzuzufügen (A auf der Wand).',
  source: 'Quelle',
  encoder: 'Ein Encoder sendet ihn',
  encoderHint: 'OBS, ffmpeg, vMix; die Wand zeigt die Adresse',
  pull: 'Der Server holt ihn',
  pullHint: 'eine Kamera oder ein anderer Server',
  address: 'Adresse',
  addressExample: 'rtsp://camera/stream oder srt://host:9000',
  removesDemo: 'Die Testbilder der Demo entfernen',
  needsPort: 'Geben Sie einen Port für Pult und Player ein.',
  badPort: 'Ein Port ist eine Zahl von 1 bis 65535.',
  ownPort: 'HTTP und RTMP brauchen verschiedene Ports.',
  needsLogin: 'Geben Sie einen Benutzer zum Passwort ein.',
  badDays: (most: number) => `Geben Sie eine ganze Zahl von Tagen ein, von 1 bis ${most}.`,
};
