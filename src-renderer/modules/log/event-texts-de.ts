import type { EventKind } from '../../../src-preload/contract/events/catalogue.ts';

/** Meanings of event kinds, in German. */
export const MEANINGS_DE: Readonly<Record<EventKind, string>> = {
  server_starting: 'Der Server wurde gestartet und liest seine Konfiguration.',
  server_started: 'Der Server ist bereit.',
  server_stopping:
    'Der Server fährt herunter. Ziele, die das Ereignis nicht rechtzeitig annehmen, bekommen es nach dem nächsten Start.',
  open_files_exhausted:
    'Dem Server gehen die Datei-Handles aus: Das System trennt Verbindungen. Erhöhen Sie die Grenze (`ulimit -n`, `LimitNOFILE`).',
  open_files_restored: 'Es gibt wieder Datei-Handles für Verbindungen.',
  stream_opened: 'Ein Stream wurde gestartet: Seine Eingänge werden ab jetzt gelesen.',
  stream_updated:
    'Die Spuren eines Streams sind da oder haben sich geändert, oder seine Einstellungen wurden ohne Neustart geändert.',
  stream_closed: 'Ein Stream wurde beendet: Seine Eingänge werden nicht mehr gelesen.',
  stream_idle: 'Der Stream bekommt keine Bilder mehr; für Zuschauer endet er hier, bis wieder Bilder kommen.',
  splice_point:
    'Ein Splice-Punkt (SCTE-35) wurde angekündigt, verschoben oder zurückgenommen; jeder einmal, wie oft ihn der Eingang auch wiederholt. Je Stream 16 auf einmal, dann einer in fünf Sekunden.',
  media_thread_failed: 'Der Medien-Thread eines Streams ist abgestürzt; der Stream wird neu gestartet.',
  input_switched: 'Die Ausgabe geht mit einem anderen Eingang weiter.',
  input_selected: 'Jemand hat am Pult den Eingang eines Streams gewählt oder die Wahl wieder dem Server überlassen.',
  input_lost:
    'Die Verbindung eines Eingangs endete oder kam nicht zustande; gemeldet wird es einmal, bis wieder Bilder kommen.',
  input_restored: 'Ein ausgefallener Eingang liefert wieder Bilder.',
  input_problem:
    'Das Signal eines Eingangs hat Fehler, zum Beispiel verlorene Pakete oder einen Sprung der Uhr. Jeder Code wird höchstens einmal in der Minute gemeldet.',
  input_given_up: 'Ein Eingang wurde aufgegeben, nachdem er so oft versucht wurde, wie `retry_limit` erlaubt.',
  input_quarantined:
    'Ein Eingang hat seinen Medien-Thread zweimal zum Absturz gebracht, durch Stillstand oder Speichermangel, und wird eine Zeit lang nicht geöffnet; `detail` sagt, bis wann.',
  input_released:
    'Jemand hat am Pult die Quarantäne eines Eingangs aufgehoben, indem er ihn wählte oder den Stream neu startete.',
  frames_timed_out: 'Ein Eingang, der Bilder lieferte, liefert länger als `frames_timeout` keine mehr.',
  frames_restored: 'Ein Eingang ohne Bilder liefert über dieselbe Verbindung wieder Bilder.',
  backup_started: 'Kein Eingang liefert Bilder: Die Ersatzdatei läuft.',
  backup_stopped: 'Ein Eingang hat die Ersatzdatei abgelöst.',
  publish_opened: 'Ein Encoder sendet einen Stream.',
  publish_closed: 'Ein Encoder, der gesendet hat, ist weg.',
  publish_refused: 'Ein Encoder wurde abgewiesen.',
  play_opened: 'Ein Zuschauer hat einen Stream geöffnet.',
  play_started: 'Die Wiedergabe hat begonnen: Die ersten Daten gingen an den Zuschauer.',
  play_updated: 'Die Autorisierung einer Sitzung wurde erneuert.',
  play_closed: 'Die Sitzung eines Zuschauers endete.',
  play_denied: 'Ein Zuschauer wurde abgewiesen oder getrennt.',
  ad_inject: 'Einem Zuschauer wurde eine Werbung gezeigt: ihr erstes Segment wurde gesendet.',
  ad_progress: 'Ein Viertel, die Hälfte, drei Viertel oder alles einer Werbung wurde an einen Zuschauer gesendet.',
  ad_answer:
    'Die Antwort eines Autorisierungs-Backends zur Werbung enthält Fehler oder wird anders ausgeführt als verlangt.',
  ad_skipped:
    'Ein Clip oder ein ganzer Werbeblock wurde für einen Zuschauer ausgelassen; er sieht den Stream oder die anderen Clips.',
  push_opened: 'Ein Stream soll an einen anderen Server gesendet werden.',
  push_connected: 'Der andere Server nahm die Verbindung an.',
  push_started: 'Das erste Bild wurde gesendet.',
  push_updated: 'Die gesendeten Spuren änderten sich.',
  push_blocked: 'Der andere Server ist nicht erreichbar, lehnt den Stream ab oder nimmt Daten zu langsam an.',
  push_restored: 'Der andere Server nimmt den Stream wieder an.',
  push_reconfigured: 'Die Einstellungen einer Weiterleitung haben sich geändert.',
  push_closed: 'Ein Stream wird nicht mehr an einen anderen Server gesendet.',
  config_applied: 'Eine neue Konfiguration gilt.',
  config_confirmed: 'Eine Konfiguration auf Probe wurde behalten.',
  config_rolled_back:
    'Eine Konfiguration wurde nicht rechtzeitig bestätigt oder zurückgenommen: die vorherige gilt wieder.',
  config_refused: 'Die Konfigurationsdatei hat einen Fehler und wurde nicht übernommen; was lief, läuft weiter.',
  dvr_new_fragment: 'Ein Block des Archivs wurde abgeschlossen.',
  dvr_deleted_fragments:
    'Blöcke des Archivs wurden gelöscht: Ihre Aufbewahrungszeit war abgelaufen, es fehlte Platz, oder jemand hat sie am Pult gelöscht.',
  dvr_locked: 'Ein Zeitraum eines Archivs wurde gesperrt: Er wird nicht gelöscht.',
  dvr_unlocked: 'Ein Zeitraum eines Archivs ist nicht mehr gesperrt.',
  dvr_collapsed_write:
    'Ein Datenträger war so langsam, dass länger als zwei Sekunden gesammelt wurde; höchstens einmal in der Minute.',
  dvr_drop_write:
    'Ein Datenträger war zu langsam, zu voll oder weg: Die Aufzeichnung brach ab. Das Ereignis kommt noch einmal, wenn die Aufzeichnung weitergeht, und nennt die Länge der Lücke.',
  dvr_deletion_held:
    'Aus Archiven wird nichts gelöscht, bis es jemand bestätigt oder bis die Uhr nach einem Sprung einen Tag lang richtig ging.',
  dvr_deletion_allowed: 'Jemand hat bestätigt, dass aus Archiven wieder gelöscht wird.',
  dvr_clean: 'Ein angefordertes Aufräumen der Archive ist fertig.',
  dvr_copies_finished:
    'Blöcke des Archivs wurden auf andere Datenträger ihres Speichers kopiert oder dorthin verschoben, oder das ist fehlgeschlagen. Durchgänge ohne Arbeit werden nicht gemeldet.',
  dvr_export_finished: 'Ein Export aus dem Archiv ist fertig oder fehlgeschlagen.',
  clip_job_finished: 'Die Konvertierung eines Clips ist fertig oder fehlgeschlagen.',
  dvr_consistency_check_finished:
    'Der Katalog der Archive wurde mit den Datenträgern verglichen oder aus ihnen neu erstellt.',
  alarm_raised: 'Eine Störung ist aufgetreten, um die sich jemand kümmern muss.',
  alarm_acknowledged: 'Ein Alarm wurde quittiert.',
  alarm_cleared: 'Die Störung eines Alarms ist vorbei.',
  audio_silence_detected: 'Der Ton eines Streams ist still.',
  api_call: 'Über eine HTTP-API oder das Pult wurde etwas geändert.',
  login_accepted:
    'Ein Login wurde von einer Adresse benutzt, zum ersten Mal seit dem Start oder seit einer halben Stunde.',
  auth_failed: 'Login oder Passwort einer HTTP-API waren falsch.',
  portal_key_refused:
    'Eine Anfrage nach Abonnenten oder ihrem Protokoll hatte einen falschen Schlüssel; gemeldet wird es je Adresse und Portal höchstens einmal in der Minute.',
  events_dropped:
    'Ereignisse ließen sich für ein Ziel nicht speichern; gemeldet wird es je Ziel höchstens einmal in der Minute.',
  event_sink_test: 'Jemand testet am Pult ein Ziel: Dieses Ereignis geht nur an dieses Ziel.',
  event_sink_disabled:
    'Ein Ziel hat gemeldet, dass es nicht mehr existiert (410): Es wird nichts gesendet, bis seine Einstellungen sich ändern oder der Server neu startet. Seine Ereignisse warten.',
};

/** Values of fields, in German. */
export const VALUES_DE = {
  configured: 'er steht in der Konfiguration',
  viewer: 'ein Zuschauer hat ihn angefordert',
  publisher: 'ein Encoder hat sich verbunden',
  restart: 'er wurde neu gestartet',
  tracks: 'seine Spuren',
  settings: 'seine Einstellungen',
  removed: 'er wurde entfernt',
  no_viewers: 'er hatte keine Zuschauer',
  publisher_moved: 'sein Encoder hat zu einem anderen Stream gewechselt',
  thread_failed: 'sein Medien-Thread ist abgestürzt',
  done: 'abgeschlossen',
  stopped: 'gestoppt',
  error: 'fehlgeschlagen',
  preroll: 'vor dem Stream',
  midroll: 'während des Streams',
  splicing: 'Splice-Punkt',
  interval: 'Intervall',
  publisher_left: 'sein Encoder hat sich getrennt',
  silent: 'längere Zeit keine Anfrage',
  disconnected: 'der Zuschauer hat sich getrennt',
  denied: 'die Autorisierung wurde entzogen',
  redirected: 'der Zuschauer wurde umgeleitet',
  limit: 'die Sitzungsgrenze des Benutzers war erreicht',
  closed: 'ein Bediener hat den Zuschauer getrennt',
  stream_gone: 'den Stream gibt es nicht mehr',
  server_stopped: 'der Server wurde beendet',
  age: 'ihre Aufbewahrungszeit ist abgelaufen',
  size: 'das Archiv überschreitet seine Größengrenze',
  disk: 'der Datenträger überschreitet seine Füllgrenze',
  request: 'auf Wunsch eines Bedieners',
  clock: 'die Uhr ist gesprungen',
  locks: 'die Datenbank mit den Sperren ging verloren oder ist veraltet',
  catalog: 'der Katalog der Aufzeichnungen ging verloren',
  state: 'die Datei mit dem Zustand der Archive ging verloren',
  too_fast: 'sie kamen schneller, als der Datenträger sie speichern konnte',
  queue_full: 'die Warteschlange ist voll',
  disk_failed: 'der Datenträger ist ausgefallen',
  'events_dropped limit': 'die Warteschlange hat ihre Grenze erreicht',
  too_large: 'das Ereignis ist zu groß',
  clip_not_found: 'den Clip gibt es nicht',
  clip_unusable: 'der Clip ist nicht verwendbar',
  clip_differs: 'der Clip weicht vom Format des Streams ab',
  clip_not_ready: 'der Clip war nicht rechtzeitig bereit',
  break_without_clips: 'keiner seiner Clips lässt sich zeigen',
  viewer_absent: 'der Zuschauer hat den Werbeblock nicht abgerufen',
};
