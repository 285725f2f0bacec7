/** German texts of alarms. */
export const DE = {
  title: 'Alarme',
  now: 'Jetzt',
  history: 'Verlauf',
  loading: 'Alarme werden geladen',
  none: 'Kein Alarm',
  noneHelp:
    'Jeder Stream, der laufen soll, hat ein Bild. Um mehr zu überwachen, öffnen Sie auf der Seite Streams die Einstellungen eines Streams.',
  noHistory: 'Keine Alarme in den letzten 90 Tagen',
  noHistoryFits: 'Kein Alarm passt zum Filter',
  search: 'Suchen',
  searchHelp: 'Stream, Art, Text, Notiz oder Benutzer',
  saveAs: 'Speichern als',
  severity: 'Stufe',
  stream: 'Stream',
  alarm: 'Alarm',
  message: 'Störung',
  raised: 'Ausgelöst',
  state: 'Zustand',
  all: 'Alle',
  from: 'Von',
  to: 'Bis',
  timesSince: (count: number, since: string) => `Seit ${since} ${count}-mal ausgelöst. Klicken zeigt jedes Mal.`,
  server: 'Server',
  older: 'Ältere',
  acknowledge: 'Quittieren',
  acknowledgeAll: 'Alle quittieren',
  note: 'Notiz',
  noteHelp: 'Was Sie gefunden oder getan haben (optional)',
  more: (count: number) => `${count} weitere`,
  allowDeletion: 'Löschen erlauben',
  allowDeletionHelp:
    'Aufzeichnungen, die ihre Aufbewahrungszeit oder eine Grenze überschritten haben und nicht gesperrt sind, werden dann gelöscht. Das lässt sich nicht rückgängig machen. Prüfen Sie zuerst die Uhrzeit und die Sperren.',
  confirmKeys: 'Neuen Schlüssel bestätigen',
  confirmKeysHelp:
    'Stellen Sie die Datei aus einer Sicherung wieder her, wenn es eine gibt: Sie wird sofort verwendet. Mit einem neuen Schlüssel lässt sich nichts mehr lesen oder prüfen, was der verlorene versiegelt oder signiert hat.',
  cancel: 'Abbrechen',
  shelve: 'Zurückstellen …',
  shelveFor: (minutes: number) => (minutes < 60 ? `${minutes} min` : `${minutes / 60} h`),
  unshelve: 'Zurückstellung beenden',
  evidence: 'Belege',
  noEvidence: 'Zu diesem Alarm wurde nichts gespeichert.',
  evidenceFailed: 'Die Belege zu diesem Alarm ließen sich nicht lesen.',
  pictureBefore: 'Davor',
  pictureAt: 'Beim Auslösen',
  locked: 'Das Archiv ist von 30 s vor bis 30 s nach dem Alarm gesperrt.',
  graphOf: (low: number, high: number) => `Messwert, von ${low} bis ${high}`,
  inArchive: 'Im Archiv zeigen',
  onWall: 'Auf der Wand zeigen',
  mute: 'Alarmton abschalten',
  unmute: 'Alarmton einschalten',
  failed: 'Die Aktion ist fehlgeschlagen.',
  factsHidden: 'Dieses Login darf die Einzelheiten nicht sehen.',
  historyFailed: 'Der Verlauf ließ sich nicht lesen.',
  shelvedUntil: (time: string) => `Zurückgestellt bis ${time}`,
  acknowledgedBy: (by: string, note: string | null) => `Quittiert von ${by}${note === null ? '' : `: ${note}`}`,
  lasting: (span: string) => `Dauer ${span}`,
  over: (span: string) => `Beendet nach ${span}`,
  counts: (critical: number, major: number, info: number) =>
    `Alarme: ${critical} kritisch, ${major} schwer, ${info} Hinweise`,
};

/** Severities in German. */
export const SEVERITY_DE = {
  critical: { word: 'Kritisch', shape: '✕' },
  major: { word: 'Schwer', shape: '▲' },
  info: { word: 'Hinweis', shape: '◆' },
};

/** Titles of alarms in German. */
export const ALARM_LABELS_DE = {
  no_input: 'Kein Eingang',
  codec: 'Codec nicht unterstützt',
  reserve: 'Reserve auf Sendung',
  push: 'Weiterleitung gestört',
  bitrate: 'Bitrate',
  frame_rate: 'Bildrate',
  format_change: 'Format gewechselt',
  stream_errors: 'Fehler',
  continuity: 'Pakete fehlen',
  pcr: 'PCR-Fehler',
  recording_stopped: 'Keine Aufzeichnung',
  missing_scte35: 'SCTE-35 fehlt',
  black: 'Schwarzbild',
  frozen: 'Bild eingefroren',
  silence: 'Stille',
  silence_frozen: 'Stille, Bild eingefroren',
  level: 'Tonpegel',
  loudness_momentary: 'Lautheit, momentan',
  loudness_short_term: 'Lautheit, kurzzeitig',
  loudness_integrated: 'Lautheit, integriert',
  loudness_range: 'Lautheitsbereich',
  true_peak: 'Spitzenpegel (True Peak)',
  latency: 'Latenz',
  certificate: 'Zertifikat',
  archive: 'Archiv',
  disk: 'Datenträger',
  disk_nearly_full: 'Datenträger fast voll',
  backend: 'Backend',
  event_sink: 'Ereignisziel',
  server: 'Server',
};

/** Descriptions of faults, in German. */
export const FAULTS_DE = {
  no_frames: 'Von keinem Eingang kommen Bilder',
  codec_not_carried:
    'Der Eingang sendet {codecs}, was nicht unterstützt wird. Senden Sie H.264- oder H.265-Video und Ton in AAC, MP2, MP3, AC-3 oder Opus',
  encrypted_not_carried:
    'Der Eingang sendet {codecs} verschlüsselt, was nicht unterstützt wird. Senden Sie es ohne Verschlüsselung (DRM)',
  reserve_on_air: 'Eingang {input} von {count} ist anstelle von Eingang {main} auf Sendung. Prüfen Sie Eingang {main}',
  push_failing:
    '{failed} von {count} Weiterleitungen sind gestört. {url}: {code}. Prüfen Sie Adresse, Schlüssel und Netz',
  bitrate_out_of_range: '{value} kbit/s, erwartet {limits}',
  frame_rate_out_of_range: '{value} Bilder pro Sekunde, erwartet {limits}',
  latency_out_of_range: 'Das neueste Bild ist {value} ms alt, erwartet {limits}',
  format_changed: 'Das Format war {before} und ist jetzt {now}',
  packets_damaged: 'Auf dem Weg zum Server gehen Pakete verloren oder werden beschädigt',
  packets_missing: 'Pakete des Transportstroms fehlen',
  clock_errors: 'Zeitmarken (PCR) kommen zu selten oder springen',
  not_recorded: 'Aufzeichnung ist konfiguriert, aber der Stream wird nicht aufgezeichnet',
  no_scte35: 'Die erwartete SCTE-35-Nachricht kam nicht an',
  black: 'Das Bild ist schwarz',
  frozen: 'Das Bild bewegt sich nicht',
  silent: 'Spitze {value} dBFS',
  silent_and_frozen: 'Das Bild bewegt sich nicht; Spitze {value} dBFS',
  level_out_of_range: 'Spitze {value} dBFS, erwartet {limits}',
  loudness_out_of_range: '{value} {unit}, erwartet {limits}',
  certificate_ends: 'Das HTTPS-Zertifikat läuft am {day} ab',
  certificate_ended: 'Das HTTPS-Zertifikat ist abgelaufen',
  certificate_unusable: 'Das HTTPS-Zertifikat ist nicht benutzbar: {explanation}',
  streams_not_recorded: 'Zurzeit nicht aufgezeichnet: {streams}',
  nothing_deleted: 'Aus Archiven wird nichts gelöscht, weil die Datenbank mit den Sperren nicht gelesen werden kann',
  deletion_held_clock:
    'Aus Archiven wird nichts gelöscht: Die Uhr dieses Rechners sprang um {hours} Stunden. Prüfen Sie die Uhrzeit und erlauben Sie dann das Löschen; sonst wird wieder gelöscht, wenn die Uhr einen Tag lang richtig ging',
  deletion_held_locks:
    'Aus Archiven wird nichts gelöscht: Die Datenbank mit den Sperren ging verloren oder ist eine ältere. {count} Sperren und Episoden wurden aus den Kopien auf den Datenträgern wiederhergestellt. Prüfen Sie sie und erlauben Sie dann das Löschen',
  catalog_being_made:
    'Aus Archiven wird nichts gelöscht: Der Katalog der Aufzeichnungen ging verloren und wird aus den Datenträgern neu erstellt. Das Löschen geht von selbst weiter, wenn alles gelesen wurde',
  deletion_held_catalog:
    'Aus Archiven wird nichts gelöscht: Der Katalog der Aufzeichnungen ging verloren, und beim Neuerstellen waren {count} Datenträger oder Blöcke nicht lesbar. Das Protokoll nennt sie. Prüfen Sie die Datenträger und erstellen Sie den Katalog neu, oder erlauben Sie das Löschen',
  catalog_closed:
    'Der Katalog der Aufzeichnungen lässt sich nicht öffnen: Aufzeichnungen werden nicht aufgelistet, und aus Archiven wird nichts gelöscht. Das Protokoll nennt den Grund',
  deletion_held_state:
    'Aus Archiven wird nichts gelöscht: Die Datei archive-guard.json des Datenordners fehlte oder war beschädigt. Prüfen Sie Sperren und Uhrzeit und erlauben Sie dann das Löschen',
  disks_in_use:
    'Ein anderer Server benutzt diese Datenträger. Auf ihnen wird nichts aufgezeichnet oder gelöscht: {disks}. Beenden Sie den anderen Server oder geben Sie einem von beiden andere Datenträger',
  blocks_not_copied: 'Blöcke können zurzeit nicht auf einen anderen Datenträger kopiert werden: {storages}',
  disk_full: 'Der Datenträger des Datenordners ist voll: {free_mib} MiB frei',
  disk_unwritable: 'Der Datenordner lässt sich nicht beschreiben: {explanation}',
  disk_nearly_full: 'Der Datenträger von {folder} ist fast voll: {free_mib} MiB frei',
  backend_silent: '{place} antwortet nicht: {explanation}',
  sink_failing: 'Ereignisse lassen sich nicht an {name} zustellen: {explanation}. {waiting} Ereignisse warten',
  config_unreadable: 'Die Konfigurationsdatei ließ sich nicht laden: {explanation}',
  config_open_to_all:
    'Jeder Benutzer dieses Rechners kann {path} lesen, und die Datei kann Passwörter enthalten. Führen Sie aus: chmod o-rwx {path}',
  seal_key_lost:
    'Die Schlüsseldatei airdesk.key fehlt, ist beschädigt oder eine andere: Gespeicherte Versionen der Konfiguration und Geheimnisse von Webhooks lassen sich nicht lesen, und neue werden nicht gespeichert. Stellen Sie die Datei aus einer Sicherung wieder her oder bestätigen Sie einen neuen Schlüssel',
  log_key_lost:
    'Die Schlüsseldatei {file} fehlt oder ist beschädigt: Vorhandene Signaturen lassen sich nicht prüfen, und nichts wird signiert. Stellen Sie die Datei aus einer Sicherung wieder her oder bestätigen Sie einen neuen Schlüssel',
  history_not_kept: 'Der Verlauf der Konfiguration wird nicht gespeichert: {explanation}',
  database_closed: 'Die Datenbank ließ sich nicht öffnen: {explanation}',
  subscribers_closed: 'Die Datenbank der Abonnenten ließ sich nicht öffnen: {explanation}',
  port_closed: '{place} ist nicht offen: {explanation}',
  connections_full: 'Neue Verbindungen über {place} werden abgewiesen: die Grenze von {count} ist erreicht',
  few_open_files: '{explanation}',
  no_sandbox:
    'Das Fenster läuft ohne die Sandbox von Chromium, weil Airdesk als root gestartet wurde. Starten Sie es als anderer Benutzer.',
  measured_seldom: 'Dieser Rechner ist überlastet: Bild und Ton werden nur alle {seconds} s gemessen',
};

export const LIMITS_DE = {
  both: '{min} bis {max}',
  min: 'mindestens {min}',
  max: 'höchstens {max}',
  none: 'beliebig',
};
