/** German descriptions of directives of streams, live prefixes and templates, by code. */
export const STREAM_DOCS_DE: Readonly<Record<string, string>> = {
  stream:
    'Stream mit seinen Eingängen. Er wird unter `/name/index.m3u8` abgespielt. Ein Stream `cam1` mit `input publish://;` empfängt unter `rtmp://host/static/cam1`.',
  live: 'Live-Präfix: Encoder dürfen darunter beliebige Namen senden. Aus `rtmp://host/prefix/cam1` wird der Stream `prefix/cam1` mit den Einstellungen des Blocks.',
  'file.template':
    'Benannte Einstellungen für Streams mit `template name;` und für alles, was unter den Präfixen der Vorlage gesendet wird.',
  plugins: 'Einstellungen von Plugins, nach Namen.',
  plugin: 'Einstellungen eines Plugins.',
  input:
    'Eingang des Streams: Adresse einer Kamera, eines Encoders, einer Datei oder eines anderen Servers, oder `publish://`, um auf einen Encoder zu warten. Von mehreren Eingängen läuft der erste, der Bilder liefert, in der Reihenfolge von `priority` (1 vor 2) und dann der Datei. Ein besserer Eingang wird im Hintergrund erneut versucht und übernimmt, wenn er zehn Sekunden stabil war; ein sendender Encoder sofort. `frames_timeout` ist die Zeit ohne Bilder, nach der der Stream zum nächsten Eingang wechselt (Sekunden; Vorgabe ist `source_timeout` des Eingangs oder Streams, sonst 3). `source_timeout` ist die Zeit ohne Bilder, nach der die Verbindung neu aufgebaut wird (Sekunden; Vorgabe ist die des Streams). Alle anderen Optionen gehören zur Art der Adresse (siehe publishing). Unbekannte Optionen weist die API ab, die Konfigurationsdatei nur bei Tippfehlern; sonst bleiben sie mit einer Warnung stehen. Eine Adresse mit Leerzeichen, `;`, `{` oder `}` steht in Anführungszeichen.',
  title: 'Angezeigter Name. Ein Titel mit Leerzeichen steht in Anführungszeichen.',
  comment: 'Notiz für die Bediener; sie wird angezeigt und hat keine Wirkung.',
  'stream.position':
    'Platz des Streams in Listen: Kleinere Zahlen kommen zuerst; Vorgabe ist 0. Streams mit gleichem Platz sind nach Namen sortiert.',
  'stream.disabled': 'Schaltet den Stream ab; er bleibt in der Konfiguration.',
  static:
    'Ob der Stream ständig läuft. Mit `static false;` startet er mit dem ersten Zuschauer, der höchstens zehn Sekunden auf das erste Segment wartet, und endet `clients_timeout` nach dem letzten. Eine Weiterleitung zählt zu ihren Zeiten als Zuschauer. Encoder werden immer angenommen.',
  'stream.password':
    'Passwort, das ein Encoder als `?password=` angeben muss. Es gilt nur für `publish://`. Ein neues Passwort trennt keinen sendenden Encoder.',
  'stream.segment_duration': 'Mindestlänge eines Segments: Es endet mit dem ersten Keyframe nach dieser Zeit.',
  chunk_duration:
    'Länge der Teile eines Segments. Player mit niedriger Latenz laden einzelne Teile: Kürzere Teile bedeuten weniger Verzögerung und mehr Anfragen. Ein Teil darf nicht länger sein als `segment_duration`.',
  segment_count: 'Zahl der vollständigen Segmente in einer Live-Playlist.',
  hls_scte35:
    'Kennzeichnung von Splice-Punkten (SCTE-35) in HLS-Playlists: `rfc8216` mit EXT-X-DATERANGE, `aws` mit EXT-X-CUE-OUT und EXT-X-CUE-IN, `scte35` wie `aws`, mit der Nachricht in EXT-OATCLS-SCTE35. DASH enthält sie immer als Ereignisse.',
  source_timeout:
    'Zeit ohne Bilder, nach der ein Eingang als verloren gilt und seine Verbindung neu aufgebaut wird. Bei mehreren Eingängen wechselt der Stream nach `frames_timeout` zum nächsten; Vorgabe dafür ist diese Zeit, falls angegeben, sonst 3 Sekunden.',
  clients_timeout:
    'Wie lange ein Stream mit `static false;` nach der letzten Anfrage seines letzten Zuschauers weiterläuft, mindestens aber drei Segmente lang, weil manche Player so lange keine Anfrage senden.',
  retry_limit:
    'Zahl der Versuche, einen verlorenen Eingang neu zu verbinden. Bringt keiner davon ein Bild oder einen Ton, wird der Eingang aufgegeben. Er wird erneut versucht, wenn er am Pult gewählt oder der Stream neu gestartet wird. Die Pausen zwischen Versuchen wachsen von 1 auf 15 Sekunden.',
  backup:
    'Datei, die in einer Schleife läuft, solange kein Eingang Bilder liefert: MPEG-TS oder MP4, mit absolutem Pfad oder relativ zum Datenordner. `timeout` ist die Zeit ohne Bilder, nach der sie startet (Sekunden; Vorgabe 3). Der erste Eingang mit Bildern übernimmt sofort.',
  ad_breaks: [
    'Regeln für Werbeblöcke mit Clips.',
    '',
    '- `overrun`: Ende eines Werbeblocks durch Splice-Punkte, der kürzer ist als seine Clips. `cut` (Vorgabe) schneidet den laufenden Clip ab, `complete` spielt ihn zu Ende.',
    '- `fill`: Rest eines Werbeblocks durch Splice-Punkte, der länger ist als seine Clips. `repeat` (Vorgabe) beginnt die Clips von vorn, `programme` kehrt zum Stream zurück, und eine Datei eines VOD-Orts läuft als Standbild.',
    '- `hls`: `stitched` (Vorgabe) setzt die Clips in die HLS-Playlists, `interstitials` überlässt das Einfügen dem Player.',
    '- `dash`: Periode von Werbeblöcken, deren Clips in den Segmenten liegen (`v` 2). `single` (Vorgabe) ist die Periode des Streams, `periods` gibt jedem Block eine eigene.',
    '- `archive`: Wiedergabe eines Werbeblocks durch Splice-Punkte im Archiv. `programme` (Vorgabe) zeigt das Programm, `clips` spielt den Block noch einmal.',
    '',
    'Die Antwort des Backends hat Vorrang vor `overrun` und `fill`. Eine Änderung von `hls` oder `dash` gilt für neue Sitzungen.',
  ].join('\n'),
  'stream.on_play':
    'Backend, das über jede neue Wiedergabe dieses Streams entscheidet: Adresse, Datei mit der Antwort, `auth://name` eines `auth_backend` oder `subscribers://name` eines Portals dieses Servers; mit `false` wird keines gefragt. Es hat Vorrang vor `auth`. Hier nicht genannte Optionen gehen als Parameter an das Backend.',
  'stream.auth': 'Ältere Form von `on_play`; `auth false;` schaltet das Backend des Servers für den Stream ab.',
  'stream.on_publish': 'Backend, das über jeden neuen Encoder dieses Streams entscheidet.',
  dvr_protected:
    'Ob die Wiedergabe des Archivs eine eigene Sitzung ist: Das Backend wird mit `dvr=true` gefragt, auch wenn der Zuschauer den Stream live sehen darf.',
  'stream.play_key':
    'Nur signierte Adressen spielen diesen Stream ab: `?expires=…&sig=…`, signiert mit einem dieser Schlüssel (siehe Authorization in der Dokumentation). Bis zu vier Schlüssel sind möglich, damit ein neuer gelten kann, bevor der alte entfällt. Mit `false` braucht der Stream keine Signatur, unabhängig von Vorlage und oberster Ebene.',
  'stream.publish_key':
    'Encoder dürfen mit einer signierten Adresse senden: `?expires=…&sig=…`. Gibt es auch ein `password`, genügt eines von beiden. Mit `false` gilt hier kein Schlüssel, unabhängig von Vorlage und oberster Ebene.',
  'stream.alarm':
    'Wann ein Alarm des Streams ausgelöst und beendet wird und wie schwer er ist (siehe Alarms in der Dokumentation). Die Direktive darf mehrmals vorkommen; für andere Arten gilt weiterhin die oberste Ebene.',
  loudness_log:
    'Misst und speichert die Lautheit der ersten Tonspur (EBU R128), auch ohne Lautheitsalarm: momentan und kurzzeitig alle 100 ms für 24 Stunden, Stundenwerte für 90 Tage.',
  'stream.protocols':
    'Protokolle, mit denen der Stream abgespielt werden darf; ein `-` vor dem Namen schließt ein Protokoll aus. Wirksam sind `hls`, `dash`, `cmaf` (beide), `mpegts` (auch `tshttp`), `rtmp` und `mp4`; Namen noch nicht unterstützter Protokolle sind erlaubt. Das Pult spielt den Stream immer ab.',
  dash_off: 'Schaltet DASH für den Stream ab. Das Pult spielt ihn weiterhin ab.',
  hls_off: 'Schaltet HLS für den Stream ab. Das Pult spielt ihn weiterhin ab.',
  mpegts_off: 'Schaltet MPEG-TS über HTTP für den Stream ab. Das Pult spielt ihn weiterhin ab.',
  'stream.dvr':
    'Zeichnet den Stream auf: in einen Ordner (absolut oder im Datenordner) oder einen benannten Speicher. `time` begrenzt das Alter der Aufzeichnungen, `size` ihre Größe auf allen Datenträgern zusammen und `percent` den Füllstand eines Datenträgers. Einmal in der Minute werden die ältesten Blöcke gelöscht, die eine Grenze überschreiten, außer gesperrten. Die Reihenfolge der Grenzen ist beliebig. `copy` hat noch keine Wirkung.',
  'stream.dvr_offline':
    'Wie `dvr`, aber der Stream wird erst aufgezeichnet, wenn er mit `dvr_enable` der alten API eingeschaltet wurde. Aufzeichnungen werden ebenso behalten und gelöscht; `dvr` hat Vorrang.',
  push: 'Sendet den Stream an einen anderen Server: `rtmp://host/application/key`, oder `rtmps://` mit TLS. Ohne Schlüssel ist der Name des Streams der Schlüssel. `udp://host:port` und `rtp://host:port` senden ihn als MPEG-TS in Datagrammen, an einen Rechner oder eine Multicast-Gruppe. `tshttp://host/path` und `tshttps://host/path` senden ihn als MPEG-TS im Körper einer PUT-Anfrage, mit Anmeldung als `user:password@host`; ein Pfad mit `/` am Ende wird um den Namen des Streams und `/mpegts` ergänzt, die Adresse eines anderen Airdesk. `hls://host/path/index.m3u8` und `hlss://` speichern ihn als HLS auf einem Webserver: Segmente in MPEG-TS und die Playlist mit PUT; alte Segmente werden mit DELETE gelöscht. Die Direktive darf mehrmals vorkommen. Scheitert eine Weiterleitung, wird sie nach `retry_timeout` (Sekunden; Vorgabe 5) endlos oder höchstens `retry_limit` Mal wiederholt. `timeout` begrenzt das Warten auf eine Antwort und auf ein Ziel, das keine Daten mehr annimmt (Sekunden; Vorgabe 10). `tracks=v1a1` sendet nur diese Spuren. `start_at` und `stop_at` sind Anfang und Ende der Weiterleitung, als Datum und Uhrzeit mit dem Abstand zu UTC: `2026-12-01T19:55:00+01:00` oder `2026-12-01T18:55:00Z`. Ein Anfang in der Vergangenheit hat keine Wirkung: die Weiterleitung läuft sofort. Nach `stop_at`, auch in der Vergangenheit, läuft sie nicht, bis die Option geändert oder entfernt ist. `disabled=true` schaltet sie zu jeder Zeit aus. Die Optionen ab `bitrate` gelten für UDP und RTP. `bitrate` ist die konstante Rate in kbit/s, aufgefüllt mit Nullpaketen; Vorgabe: die Rate des Streams. `interface` ist Adresse oder Name der Netzwerkschnittstelle, `ttl` die Zahl der Router, die eine Gruppe passieren darf (Vorgabe 1), und `multicast_loop=false` hält eine Gruppe von Programmen dieses Rechners fern. `standby` wartet, solange ein anderer Server an die Gruppe sendet, und sendet, wenn er eine Sekunde lang schweigt. `pnr` ist die Nummer des Programms (Vorgabe 1); `pids.pmt`, `pids.video` und `pids.audio` sind die PIDs seiner Tabelle und seiner ersten Spuren. Eine Änderung unterbricht weder den Stream noch andere Weiterleitungen. Adressen anderer Art haben in dieser Version keine Wirkung. Der Name einer Ja/Nein-Option allein schaltet sie ein: `disabled`, `standby`.',
  prepush:
    'Medien, die ein neuer RTMP-Player auf einmal bekommt, damit sein Bild früher kommt: `true` für die neueste Bildgruppe, oder eine Mindestzeit. Ohne die Angabe wartet ein Player auf das nächste Keyframe. Mehr Medien bedeuten mehr Verzögerung.',
  transcoder:
    'Kodiert den Stream neu: Bitraten, Größen, Codecs. Ein Schlüssel darf wiederholt werden, für weitere Qualitäten.',
  'stream.logo': 'Bild in einer Ecke des Players; Abstände in Pixeln.',
  thumbnails: 'Erzeugt Vorschaubilder zum Suchen.',
  provider:
    'Anbieter des Programms: Die APIs zeigen ihn und filtern danach; M3U-Listen ordnen Sender danach in Gruppen.',
  labels: 'Labels für Filter und Statistik: höchstens 64, mit Namen bis 64 und Werten bis 200 Zeichen.',
  meta: 'Zusätzliche Angabe für andere Systeme. Die Direktive darf mehrmals vorkommen.',
  'stream.cluster_key': 'Das Geheimnis des Clusters, nur für diesen Stream.',
  cluster_ingest: 'Ein Server des Clusters empfängt den Eingang; die anderen übernehmen ihn von dort.',
  drm: 'Verschlüsselung der Segmente.',
  silencedetect:
    'Löst einen Alarm aus, wenn der Ton fehlt: leiser als `noise` für die Zeit `duration`; erneut nach jedem `interval`.',
  motion_detector: 'Erkennt Bewegung im Bild.',
  add_audio_only: 'Bietet in HLS eine Variante nur mit Ton an.',
  cmaf_enabled: 'Erzeugt CMAF-Segmente.',
  dash_update_period: 'Abstand, in dem DASH-Player das Manifest neu laden.',
  url_prefix: 'Präfix der Segmentadressen in Manifesten, zur Auslieferung über ein CDN.',
  webrtc_abr: 'Auswahl der Qualität bei WebRTC.',
  mpegts_pids: 'PIDs des MPEG-Transportstroms.',
  playback_headers: 'Header in jeder Antwort an Player.',
  'stream.cache': 'Cache für die Segmente dieses Streams.',
  publish_enabled: 'Erlaubt Encodern zu senden.',
  hds_off: 'Schaltet HDS für den Stream ab.',
  m4f_off: 'Schaltet die Übertragung zwischen Servern mit M4F für den Stream ab.',
  m4s_off: 'Schaltet die Übertragung zwischen Servern mit M4S für den Stream ab.',
  pulse_off: 'Schaltet das Erfassen von Messwerten für den Stream ab.',
  rtmp_off: 'Schaltet RTMP zu Playern für den Stream ab. Die Oberfläche spielt ihn weiterhin.',
  rtsp_off: 'Schaltet RTSP für den Stream ab.',
  webrtc_off: 'Schaltet WebRTC für den Stream ab.',
  'stream.template':
    'Übernimmt die Einstellungen der Vorlage oder des Live-Präfixes dieses Namens, soweit der Stream sie nicht selbst festlegt.',
  'template.prefix':
    'Präfixe, unter denen Encoder senden dürfen: Mit `prefix cams;` wird aus `rtmp://host/cams/gate` der Stream `cams/gate`.',
};
