import type { EventKind } from '../../../src-preload/contract/events/catalogue.ts';

/** Fields of an event as texts; empty for a field without a value. */
export type FactTexts = (name: string) => string;

/** German name of an input: the server writes `input 1` or `backup`. */
const inputOf = (fact: FactTexts, name = 'input'): string =>
  fact(name)
    .replace(/^input /, 'Eingang ')
    .replace(/^backup$/, 'Ersatzdatei');
const viewer = (fact: FactTexts): string => `Zuschauer ${fact('ip')}`;
const source = (fact: FactTexts): string => `${inputOf(fact) || 'Der Eingang'} von ${fact('media')}`;
const where = (fact: FactTexts): string => (fact('media') === '' ? 'am Server' : `bei ${fact('media')}`);

/** Sentences of event kinds, in German. */
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
  publish_refused: (fact) =>
    `Encoder ${fact('ip') || 'per SRT'} wurde${fact('path') || fact('media') ? ` für ${fact('path') || fact('media')}` : ''} abgewiesen`,
  play_opened: (fact) => `${viewer(fact)} hat ${fact('media')} geöffnet`,
  play_started: (fact) => `${viewer(fact)} spielt ${fact('media')} ab`,
  play_updated: (fact) => `Autorisierung von Zuschauer ${fact('ip')} für ${fact('media')} wurde erneuert`,
  play_closed: (fact) => `${viewer(fact)} hat ${fact('media')} nach ${fact('duration_ms')} verlassen`,
  play_denied: (fact) => `${viewer(fact)} wurde für ${fact('media')} abgewiesen`,
  ad_inject: (fact) => `Werbung ${fact('path')} wurde in ${fact('media')} gezeigt`,
  ad_progress: (fact) => `${fact('progress')} % der Werbung ${fact('path')} wurden in ${fact('media')} gesendet`,
  ad_answer: (fact) =>
    fact('is_refused') === 'true'
      ? `Die Antwort des Backends zur Werbung für ${fact('media')} enthält Fehler. Werbung wird nicht eingefügt`
      : `Die Antwort des Backends zur Werbung für ${fact('media')} gilt mit einer Änderung`,
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
  config_confirmed: (fact) => `${fact('by')} hat die Konfigurationsänderung behalten`,
  config_rolled_back: (fact) =>
    fact('origin') === 'timer'
      ? 'Die Konfigurationsänderung wurde nicht rechtzeitig bestätigt und zurückgenommen'
      : `${fact('by')} hat die Konfigurationsänderung zurückgenommen`,
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
  api_call: (fact) => `${fact('user') || 'Jemand'} hat über die HTTP-API etwas geändert`,
  login_accepted: (fact) => `${fact('user')} hat sich von ${fact('ip')} angemeldet`,
  auth_failed: (fact) =>
    `Anmeldung ${fact('user') ? `von ${fact('user')} ` : ''}(Adresse ${fact('ip')}) fehlgeschlagen`,
  portal_key_refused: (fact) =>
    `Ein Schlüssel ${fact('portal_name') === '' ? 'eines Portals' : `des Portals ${fact('portal_name')}`} von ${fact('ip')} wurde abgewiesen`,
  events_dropped: (fact) => `${fact('count')} Ereignisse für ${fact('sink') || 'alle Ziele'} wurden verworfen`,
  event_sink_test: (fact) => `${fact('who')} hat das Ereignisziel ${fact('sink')} getestet`,
  event_sink_disabled: (fact) => `Das Ereignisziel ${fact('sink')} wurde von seinem Empfänger deaktiviert`,
};

/** Additions after the sentence of an event, in German. */
export const ADDITIONS_DE = { somebody: 'Jemand', refused: 'abgewiesen', onTrial: 'auf Probe', still: 'ein Standbild' };
