import type { EventKind } from '../../../src-preload/contract/events/catalogue.ts';

/** Fields of an event as texts; empty for a field without a value. */
export type FactTexts = (name: string) => string;

/** Inputs as the German desk names them: the server writes `input 1` or `backup`. */
const inputOf = (fact: FactTexts, name = 'input'): string =>
  fact(name)
    .replace(/^input /, 'Eingang ')
    .replace(/^backup$/, 'Ersatzdatei');
const viewer = (fact: FactTexts): string => `Zuschauer ${fact('ip')}`;
const source = (fact: FactTexts): string => `${inputOf(fact) || 'Der Eingang'} von ${fact('media')}`;
const where = (fact: FactTexts): string => (fact('media') === '' ? 'am Server' : `bei ${fact('media')}`);

/** Each kind of event as a sentence, in German. */
export const SENTENCES_DE: Readonly<Record<EventKind, (fact: FactTexts) => string>> = {
  server_starting: (fact) => `Airdesk ${fact('version')} startet`,
  server_started: (fact) => `Airdesk ${fact('version')} ist bereit`,
  server_stopping: () => 'Der Server fährt herunter',
  open_files_exhausted: () => 'Dem Server fehlen Datei-Handles, er trennt Verbindungen',
  open_files_restored: () => 'Der Server hat wieder Datei-Handles',
  stream_opened: (fact) => `Stream ${fact('media')} gestartet`,
  stream_updated: (fact) => `Stream ${fact('media')} geändert`,
  stream_closed: (fact) => `Stream ${fact('media')} beendet`,
  stream_idle: (fact) => `Stream ${fact('media')} hat kein Bild`,
  splice_point: (fact) => `Splice-Punkt in ${fact('media')}`,
  media_thread_failed: (fact) => `Der Medien-Thread von ${fact('media')} ist abgestürzt; der Stream startet neu`,
  input_switched: (fact) =>
    fact('from') === ''
      ? `${fact('media')} hat auf ${inputOf(fact)} umgeschaltet`
      : `${fact('media')} hat von ${inputOf(fact, 'from')} auf ${inputOf(fact)} umgeschaltet`,
  input_selected: (fact) =>
    fact('input') === ''
      ? `Der Eingang von ${fact('media')} wird wieder automatisch gewählt`
      : `${inputOf(fact)} von ${fact('media')} wurde von Hand gewählt`,
  input_lost: (fact) => `${source(fact)} ist ausgefallen`,
  input_restored: (fact) => `${source(fact)} ist wieder da`,
  input_problem: (fact) => `${source(fact)} hat Fehler`,
  input_given_up: (fact) => `${source(fact)} wurde aufgegeben`,
  input_quarantined: (fact) => `${source(fact)} ist in Quarantäne`,
  input_released: (fact) => `${source(fact)} ist nicht mehr in Quarantäne`,
  frames_timed_out: (fact) => `${source(fact)} liefert keine Bilder`,
  frames_restored: (fact) => `${source(fact)} liefert wieder Bilder`,
  backup_started: (fact) => `${fact('media')} spielt seine Ersatzdatei`,
  backup_stopped: (fact) => `${fact('media')} spielt seine Ersatzdatei nicht mehr`,
  publish_opened: (fact) => `Encoder ${fact('ip')} sendet ${fact('media')}`,
  publish_closed: (fact) => `Encoder von ${fact('media')} hat sich getrennt`,
  publish_refused: (fact) => `Encoder ${fact('ip')} wurde für ${fact('path') || fact('media')} abgewiesen`,
  play_opened: (fact) => `${viewer(fact)} hat ${fact('media')} geöffnet`,
  play_started: (fact) => `${viewer(fact)} spielt ${fact('media')} ab`,
  play_updated: (fact) => `Autorisierung von Zuschauer ${fact('ip')} für ${fact('media')} wurde erneuert`,
  play_closed: (fact) => `${viewer(fact)} hat ${fact('media')} nach ${fact('duration_ms')} verlassen`,
  play_denied: (fact) => `${viewer(fact)} wurde für ${fact('media')} abgewiesen`,
  ad_inject: (fact) => `Werbung ${fact('path')} wurde in ${fact('media')} gezeigt`,
  ad_progress: (fact) => `${fact('progress')} % der Werbung ${fact('path')} wurden in ${fact('media')} gesendet`,
  ad_answer: (fact) => `Die Antwort des Backends zur Werbung für ${fact('media')} enthält Fehler`,
  ad_skipped: (fact) => `${fact('path') || 'Ein ganzer Werbeblock'} wurde in ${fact('media')} ausgelassen`,
  push_opened: (fact) => `Weiterleitung von ${fact('media')} an ${fact('url')} gestartet`,
  push_connected: (fact) => `Weiterleitung von ${fact('media')} an ${fact('url')} ist verbunden`,
  push_started: (fact) => `Weiterleitung von ${fact('media')} an ${fact('url')} sendet Bilder`,
  push_updated: (fact) => `Weiterleitung von ${fact('media')} an ${fact('url')} geändert`,
  push_blocked: (fact) => `${fact('url')} nimmt ${fact('media')} nicht an`,
  push_restored: (fact) => `${fact('url')} nimmt ${fact('media')} wieder an`,
  push_reconfigured: (fact) => `Einstellungen der Weiterleitung von ${fact('media')} an ${fact('url')} geändert`,
  push_closed: (fact) => `Weiterleitung von ${fact('media')} an ${fact('url')} beendet`,
  config_applied: (fact) => `${fact('by')} hat die Konfiguration geändert`,
  config_confirmed: (fact) => `${fact('by')} hat die Änderung der Konfiguration behalten`,
  config_rolled_back: (fact) => `Die Änderung der Konfiguration von ${fact('by')} wurde zurückgenommen`,
  config_refused: () => 'Die Konfigurationsdatei hat einen Fehler und wurde nicht angewendet',
  dvr_new_fragment: (fact) => `Archivblock von ${fact('media')} abgeschlossen`,
  dvr_deleted_fragments: (fact) => `${fact('count')} Archivblöcke von ${fact('media')} gelöscht`,
  dvr_locked: (fact) => `${fact('by')} hat ${fact('duration_ms')} von ${fact('media')} gesperrt`,
  dvr_unlocked: (fact) => `${fact('by')} hat ${fact('duration_ms')} von ${fact('media')} entsperrt`,
  dvr_collapsed_write: (fact) => `Der Datenträger ist für die Aufzeichnung von ${fact('media')} langsam`,
  dvr_drop_write: (fact) => `Die Aufzeichnung von ${fact('media')} wurde unterbrochen`,
  dvr_deletion_held: () => 'Das Löschen aus Archiven ruht',
  dvr_deletion_allowed: (fact) => `${fact('by')} hat das Löschen aus Archiven erlaubt`,
  dvr_clean: () => 'Aufräumen der Archive fertig',
  dvr_copies_finished: (fact) => `${fact('count')} Archivblöcke auf andere Datenträger kopiert`,
  dvr_export_finished: (fact) => `Export von ${fact('media')} ${fact('code') === '' ? 'fertig' : 'fehlgeschlagen'}`,
  clip_job_finished: (fact) => `Konvertierung von ${fact('clip')} ${fact('code') === '' ? 'fertig' : 'fehlgeschlagen'}`,
  dvr_consistency_check_finished: () => 'Prüfung der Archive fertig',
  alarm_raised: (fact) => `Alarm ${where(fact)}: ${fact('alarm')}`,
  alarm_acknowledged: (fact) => `${fact('by')} hat den Alarm ${where(fact)} quittiert: ${fact('alarm')}`,
  alarm_cleared: (fact) => `Alarm ${where(fact)} beendet: ${fact('alarm')}`,
  audio_silence_detected: (fact) => `Der Ton von ${fact('media')} ist still`,
  api_call: (fact) => `${fact('user') || 'Jemand'} hat ${fact('method')} ${fact('path')} gesendet`,
  login_accepted: (fact) => `${fact('user')} hat sich von ${fact('ip')} angemeldet`,
  auth_failed: (fact) => `Anmeldung ${fact('user')} von ${fact('ip')} fehlgeschlagen`,
  portal_key_refused: (fact) => `Ein Portal-Schlüssel von ${fact('ip')} wurde abgewiesen`,
  events_dropped: (fact) => `${fact('count')} Ereignisse für ${fact('sink') || 'alle Ziele'} wurden verworfen`,
  event_sink_test: (fact) => `${fact('who')} hat das Ereignisziel ${fact('sink')} getestet`,
  event_sink_disabled: (fact) => `Das Ereignisziel ${fact('sink')} wurde von seinem Empfänger abgeschaltet`,
};

/** Acts of a person at the desk, in German. */
export const ACTS_DE = {
  'streams.add': '{who} hat den Stream {target} hinzugefügt',
  'streams.remove': '{who} hat den Stream {target} entfernt',
  'streams.remove_all': '{who} hat die Streams {target} entfernt',
  'streams.disable_all': '{who} hat die Streams {target} ab- oder eingeschaltet',
  'streams.record_all': '{who} hat die Aufzeichnung von {target} umgeschaltet',
  'streams.select_input': '{who} hat einen Eingang von {target} gewählt',
  'streams.restart': '{who} hat den Stream {target} neu gestartet',
  'ads.splice_insert': '{who} hat einen Werbeblock in {target} markiert',
  'alarms.acknowledge': '{who} hat einen Alarm quittiert',
  'alarms.shelve': '{who} hat einen Alarm zurückgestellt',
  'walls.save': '{who} hat die Wand {target} gespeichert',
  'walls.remove': '{who} hat die Wand {target} entfernt',
  'config.apply': '{who} hat eine Konfiguration angewendet',
  'config.undo': '{who} hat eine Änderung der Konfiguration rückgängig gemacht',
  'config.confirm': '{who} hat die Änderung der Konfiguration behalten',
  'config.rollback': '{who} hat die Änderung der Konfiguration zurückgenommen',
  'config.reload': '{who} hat die Konfigurationsdatei neu geladen',
  'config.restore': '{who} hat eine frühere Konfiguration wiederhergestellt',
  'events.test_sink': '{who} hat das Ereignisziel {target} getestet',
  'events.replay_sink': '{who} hat nicht zugestellte Ereignisse von {target} erneut gesendet',
  'sessions.close': '{who} hat einen Zuschauer getrennt',
  'sessions.close_all': '{who} hat mehrere Zuschauer getrennt',
  'sessions.ban': '{who} hat einen Zuschauer gesperrt',
  'sessions.unban': '{who} hat eine Sperre aufgehoben',
  'archive.lock': '{who} hat einen Teil des Archivs von {target} gesperrt',
  'archive.unlock': '{who} hat einen Teil des Archivs von {target} entsperrt',
  'archive.allow_deletion': '{who} hat das Löschen aus Archiven erlaubt',
  'archive.add_note': '{who} hat eine Notiz zu {target} hinzugefügt',
  'archive.remove_note': '{who} hat eine Notiz von {target} entfernt',
  'archive.restore_note': '{who} hat eine Notiz von {target} wiederhergestellt',
  'archive.export': '{who} hat einen Export von {target} gestartet',
  'archive.download_export': '{who} hat einen Export heruntergeladen',
  'archive.cancel_export': '{who} hat einen Export abgebrochen',
  'cases.create': '{who} hat einen Fall angelegt',
  'cases.rename': '{who} hat einen Fall umbenannt',
  'cases.remove': '{who} hat einen Fall gelöscht',
  'cases.restore': '{who} hat einen Fall wiederhergestellt',
  'cases.add': '{who} hat etwas zu einem Fall hinzugefügt',
  'cases.order': '{who} hat einen Fall sortiert',
  'cases.take_out': '{who} hat einen Eintrag aus einem Fall entfernt',
  'cases.put_back': '{who} hat einen Eintrag in einen Fall zurückgelegt',
  'cases.export': '{who} hat einen Fall exportiert',
  'clips.conform': '{who} hat den Clip {target} konvertiert',
  'clips.upload': '{who} hat die Datei {target} hochgeladen',
  'clips.save_backend': '{who} hat das Test-Backend {target} gespeichert',
  'clips.delete_backend': '{who} hat das Test-Backend {target} gelöscht',
  'clips.delete': '{who} hat die Datei {target} gelöscht',
  'clips.cancel': '{who} hat eine Konvertierung abgebrochen',
  'system.confirm_keys': '{who} hat einen neuen Schlüssel bestätigt',
};

/** What is said after the sentence of an event, in German. */
export const ADDITIONS_DE = { somebody: 'Jemand', refused: 'abgewiesen', onTrial: 'auf Probe' };
