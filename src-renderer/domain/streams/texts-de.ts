const lose = (count: number): string =>
  count === 0
    ? 'Er hat gerade keine Zuschauer.'
    : count === 1
      ? 'Ein Zuschauer sieht ihn und verliert ihn.'
      : `${count} Zuschauer sehen ihn und verlieren ihn.`;

const seeGap = (count: number): string =>
  count === 0
    ? 'Er hat gerade keine Zuschauer.'
    : count === 1
      ? 'Ein Zuschauer wird die Lücke sehen.'
      : `${count} Zuschauer werden die Lücke sehen.`;

/** German texts of the streams module. */
export const DE = {
  take: 'Auf Sendung nehmen',
  takeTitle: (input: number, name: string): string => `Eingang ${input} von ${name} auf Sendung nehmen?`,
  add: 'Stream hinzufügen',
  cancel: 'Abbrechen',
  done: 'Fertig',
  addAnother: 'Noch einen hinzufügen',
  ways: { pull: 'Von einer Adresse holen', publish: 'Auf einen Encoder warten' },
  wayHints: {
    pull: 'Der Server holt den Stream: aus einer Multicast-Gruppe, von einem anderen Server, einer Kamera oder einer Datei.',
    publish:
      'Ein Encoder wie OBS oder ffmpeg sendet den Stream hierher. Die Adresse dafür bekommen Sie im nächsten Schritt.',
  },
  name: 'Name',
  nameHint: 'Wird Teil der Adressen, wie in /cam1/index.m3u8.',
  address: 'Adresse',
  addressExample: 'udp://239.0.0.1:1234',
  addressHint:
    'Zum Beispiel udp://239.0.0.1:1234, http://host/live/mpegts, http://host/live/index.m3u8, rtsp://host/ch1, file:///media/clip.mp4 oder fake://.',
  readAsKind: {
    hls: 'Wird als HLS-Playlist gelesen.',
    tshttp: 'Wird als Transportstrom (MPEG-TS) über HTTP gelesen.',
  },
  otherKind: { hls: 'Als MPEG-TS lesen', tshttp: 'Als HLS lesen' },
  waitsFor: (name: string): string => `${name} wartet auf einen Encoder. Senden Sie an eine dieser Adressen:`,
  withPassword: 'Die Adressen enthalten das Passwort. Es wird nur einmal gezeigt: Kopieren Sie sie jetzt.',
  noPublishUrl:
    'Der Server hat keinen Port für Encoder. Fügen Sie einen in seine Konfiguration ein, zum Beispiel: rtmp 1935;',
  obsServer: 'OBS-Server',
  obsKey: 'OBS-Schlüssel',
  obsSteps: 'Schritte in OBS',
  obsStepList: [
    'Einstellungen, Stream öffnen.',
    'Als Plattform „Benutzerdefiniert“ wählen.',
    'Server und Streamschlüssel von hier kopieren.',
    'Unter Ausgabe das Keyframeintervall auf 2 s setzen.',
    'Mit OK bestätigen und „Stream starten“ drücken.',
  ],
  obsFileHint: 'Oder OBS schließen, diese Datei in den Ordner des Profils legen (basic/profiles/NAME) und OBS starten:',
  publishAddress: 'Adresse',
  ffmpegLine: 'ffmpeg',
  added: (name: string): string => `${name} wurde hinzugefügt.`,
  readAgain: 'Neu laden',
  wasRead: 'Die Konfigurationsdatei wurde neu geladen.',
  remove: 'Entfernen',
  undo: 'Rückgängig',
  restart: 'Neu starten',
  disable: 'Deaktivieren',
  enable: 'Aktivieren',
  record: 'Aufzeichnen',
  stopRecording: 'Aufzeichnung stoppen',
  disableTitle: (count: number): string => `${count === 1 ? 'Diesen Stream' : `${count} Streams`} deaktivieren?`,
  disableBody: (viewers: number): string =>
    `Ein deaktivierter Stream bleibt in der Konfiguration, läuft aber nicht.${viewers > 0 ? ` ${viewers} Zuschauer verlieren das Bild.` : ''} Zehn Sekunden lang können Sie das rückgängig machen.`,
  disabled: (count: number, isDisabled: boolean): string =>
    `${count} ${count === 1 ? 'Stream ist' : 'Streams sind'} ${isDisabled ? 'deaktiviert' : 'aktiviert'}.`,
  notDisabled: 'Es wurde nichts geändert.',
  switchedBack: 'Die Streams laufen wie zuvor.',
  recorded: (count: number, isOn: boolean): string =>
    `Aufzeichnung von ${count} ${count === 1 ? 'Stream' : 'Streams'} ${isOn ? 'gestartet' : 'gestoppt'}. Nach einem Neustart des Streams gilt seine Konfiguration.`,
  streams: (count: number): string => `${count} Streams`,
  recordingAdded: (what: string, storage: string, days: number): string =>
    `Die Aufzeichnung von ${what} läuft: Speicher ${storage}, ${days} Tage lang. In den Einstellungen lässt sich das ändern.`,
  recordPrefixTitle: (name: string): string => `${name} aufzeichnen?`,
  recordPrefixBody: (name: string): string =>
    `${name} kommt von seinem Encoder, deshalb wird die Aufzeichnung für sein Live-Präfix eingerichtet: Alle Streams, die Encoder dorthin senden, werden aufgezeichnet.`,
  stopTitle: (name: string): string => `Aufzeichnung von ${name} stoppen?`,
  stopManyTitle: (count: number): string => `Aufzeichnung von ${count} Streams stoppen?`,
  stopBody:
    'Was ab jetzt gesendet wird, fehlt im Archiv. Frühere Aufzeichnungen bleiben. Die Aufzeichnung beginnt wieder mit „Aufzeichnen“ und nach einem Neustart des Streams.',
  removeTitle: (name: string): string => `${name} entfernen?`,
  removeBody: (count: number): string =>
    `Der Stream endet und wird aus der Konfiguration entfernt. ${lose(count)} Zehn Sekunden lang können Sie das rückgängig machen.`,
  removed: (name: string): string => `${name} wurde entfernt.`,
  unanswered: 'Ob es geschehen ist, ist nicht bekannt. Sehen Sie in der Liste nach, bevor Sie es wiederholen.',
  notRemoved: (name: string): string => `${name} wurde nicht entfernt.`,
  restored: (name: string): string => `${name} wurde wiederhergestellt.`,
  notRestored: (name: string): string => `${name} wurde nicht wiederhergestellt.`,
  madeByPublisher: (name: string): string =>
    `${name} kommt von seinem Encoder und steht nicht in der Konfiguration. Stoppen Sie den Encoder, um ihn zu entfernen.`,
  restartTitle: (name: string): string => `${name} neu starten?`,
  restartBody: (count: number): string =>
    `Sein Eingang wird geschlossen und neu geöffnet; das Bild ist einige Sekunden weg. ${seeGap(count)}`,
  restarted: (name: string): string => `${name} startet neu.`,
  notRestarted: (name: string): string => `${name} wurde nicht neu gestartet.`,
  notSelected: (name: string): string => `Der Eingang von ${name} wurde nicht gewechselt.`,
  removeManyTitle: (count: number): string => `${count} Streams entfernen?`,
  removeManyBody: (viewers: number): string =>
    `Sie enden und werden aus der Konfiguration entfernt.${viewers > 0 ? ` ${viewers} Zuschauer verlieren sie.` : ''} Zehn Sekunden lang können Sie das rückgängig machen.`,
  removedMany: (count: number): string => `${count} Streams wurden entfernt.`,
  notRemovedMany: (count: number): string => `Die ${count} Streams wurden nicht entfernt.`,
  restoredMany: (count: number): string => `${count} Streams wurden wiederhergestellt.`,
  notRestoredMany: 'Die Streams wurden nicht wiederhergestellt.',
  restartManyTitle: (count: number): string => `${count} Streams neu starten?`,
  restartManyBody: (viewers: number): string =>
    `Ihre Eingänge werden geschlossen und neu geöffnet; die Bilder sind einige Sekunden weg.${viewers > 0 ? ` ${viewers} Zuschauer sehen die Lücke.` : ''}`,
  restartedMany: (count: number): string => `${count} Streams starten neu.`,
  restartedSome: (done: number, count: number): string => `${done} von ${count} Streams starten neu.`,
  where: 'Quelle des Streams',
  noVideo: 'kein Bild',
  noAudio: 'kein Ton',
  noFrames: 'Kein Bild',
  badFields: {
    name: 'Nur Buchstaben, Ziffern und . _ - ~ @ +, mit einem Buchstaben oder einer Ziffer am Anfang; ein Schrägstrich macht eine Gruppe, wie in news/cam1. Höchstens 200 Zeichen.',
    address: 'Höchstens 2000 Zeichen.',
    form: 'Prüfen Sie die Felder.',
  },
  needsName: 'Geben Sie einen Namen ein. Er wird Teil der Adressen des Streams.',
  needsAddress: 'Geben Sie die Adresse ein, von der geholt wird.',
  needsProtocol: 'Eine Adresse beginnt mit ihrem Protokoll, wie in udp://239.0.0.1:1234 oder http://host/live/mpegts.',
};
