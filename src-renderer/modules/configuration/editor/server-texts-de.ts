/** German descriptions of top-level directives and blocks, by code. */
export const SERVER_DOCS_DE: Readonly<Record<string, string>> = {
  http: 'Adresse und Port für Player, das Pult im Browser und die HTTP-APIs. Ohne Rechnernamen lauscht der Server auf allen Adressen. Die Direktive darf mehrmals vorkommen; mit Port 0 wählt das System einen freien Port. Änderungen wirken ohne Neustart; Verbindungen über einen entfernten Port enden nach fünf Sekunden.',
  rtmp: 'Adresse und Port für Encoder, die über RTMP senden. Rechnername, Port und Änderungen wie bei `http`.',
  rtmps:
    'Adresse und Port für Encoder, die über RTMP mit TLS (RTMPS) senden. Erfordert `ssl_certificate` und `ssl_certificate_key`. Rechnername, Port und Änderungen wie bei `http`.',
  https:
    'Adresse und Port für dasselbe über TLS. Erfordert `ssl_certificate` und `ssl_certificate_key`. Rechnername, Port und Änderungen wie bei `http`.',
  ssl_certificate:
    'Zertifikat für `https` mit seiner Zertifikatskette, in einer PEM-Datei. Ein Pfad ohne `/` am Anfang beginnt im Datenordner. Eine geänderte Datei wird innerhalb von zehn Sekunden neu gelesen.',
  ssl_certificate_key: 'Privater Schlüssel des Zertifikats, in einer PEM-Datei ohne Passwort.',
  https_redirect:
    'Leitet unverschlüsselte Anfragen nach Seiten, Playlists und Auskünften der APIs auf den ersten Port von `https` um (308). `on` nimmt Anfragen dieses Rechners und Zustandsprüfungen aus, `all` nicht. Segmente, Encoder und Änderungen werden nie umgeleitet. Hinter `trusted_proxies` gelten deren `X-Forwarded-Proto` und Port 443.',
  hsts: 'Wie lange Browser nach einem Besuch über https nur noch https benutzen (`Strict-Transport-Security`, RFC 6797). Nur Antworten über https enthalten die Angabe; `hsts 0;` hebt sie auf.',
  published_streams:
    'Höchstzahl der Streams unter Live-Präfixen und Vorlagen. Streams, deren Encoder getrennt ist und die noch nicht vergessen sind, zählen mit; Streams, von denen nur das Archiv übrig ist, nicht. Weitere werden mit `publish_limit` abgewiesen.',
  published_streams_per_prefix: 'Höchstzahl davon unter einem Live-Präfix oder einer Vorlage.',
  published_streams_per_address:
    'Höchstzahl davon, die eine Adresse anlegen darf; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für den Rechner des Servers gilt die Grenze nicht.',
  http_connections:
    'Höchstzahl der Verbindungen zu allen HTTP-Ports zusammen. Weitere werden sofort geschlossen. Unter Linux lassen die Datei-Handles womöglich weniger Verbindungen zu, siehe Security in der Dokumentation; die kleinere Grenze steht dann im Protokoll.',
  http_connections_per_address:
    'Höchstzahl davon für eine Adresse; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für den Rechner des Servers und `trusted_proxies` gilt die Grenze nicht.',
  http_connections_reserve:
    'Zahl der Verbindungen, die dem Rechner des Servers und Encodern über HTTP vorbehalten sind; höchstens die Hälfte. Andere bekommen 503, wenn nur noch diese frei sind.',
  rtmp_connections:
    'Höchstzahl der Verbindungen zu allen Ports für RTMP und RTMPS zusammen, auch von Encodern, die nur verbunden sind. Weitere werden sofort geschlossen. Gibt es Ports beider Arten, bleibt jeder das letzte Viertel erhalten. Unter Linux stehen dafür ein Viertel der Verbindungen, die die Datei-Handles erlauben (siehe `http_connections`), und der von HTTP nicht benutzte Rest zur Verfügung.',
  rtmp_connections_per_address:
    'Höchstzahl davon für eine Adresse; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für den Rechner des Servers gilt die Grenze nicht.',
  edit_auth:
    'Login für Änderungen über das Pult und die HTTP-APIs und zum Lesen der Konfiguration. Ohne die Direktive darf nur der Rechner des Servers ändern. Das Passwort kann ein Hash sein; `npm run serve -- --hash-password` erzeugt ihn.',
  view_auth:
    'Login zum Lesen über das Pult und die HTTP-APIs; ohne die Direktive dürfen alle lesen. Logins von `edit_auth` dürfen ebenfalls lesen. Das Abspielen ist nicht betroffen: Player brauchen kein Login.',
  api_auth:
    'Weiteres Login neben `edit_auth` für die HTTP-APIs unter `/streamer/`, zum Lesen und Ändern. Mit der Direktive verlangen sie immer ein Login.',
  api_token:
    'Token für Programme: `Authorization: Bearer airdesk_…`. Sein `scope` legt fest, was es darf, sein `prefix`, für welche Streams. Gespeichert wird nur sein Hash; siehe Security in der Dokumentation.',
  trusted_proxies:
    'Adressen und Netze der Proxys vor diesem Server. Nur ihre Header `X-Forwarded-For` und `X-Real-IP` bestimmen, woher eine Anfrage kommt. Die Direktive darf mehrmals vorkommen.',
  server_name:
    'Weitere Namen dieses Rechners neben `localhost` und seinem Rechnernamen. Ohne Login zählt eine Anfrage nur als lokal, wenn ihr `Host` einer dieser Namen oder eine IP-Adresse ist. Sonst könnte eine Webseite den Server über einen Namen erreichen, der auf diesen Rechner zeigt.',
  api_origins:
    'Origins von Web-Dashboards, deren Seiten die HTTP-APIs im Browser benutzen dürfen wie Seiten dieses Servers. Andere Seiten können weder Antworten lesen noch etwas ändern. Die Direktive darf mehrmals vorkommen.',
  wall_origins:
    'Origins der Webseiten, die Kacheln der Wand zeigen dürfen; ohne die Direktive zeigen sie keine. Die Seiten haben keinen Zugriff auf das Pult und können es nicht verlassen, auch Seiten dieses Servers nicht. Verbietet eine Seite die Einbettung, bleibt die Kachel leer. Ein offenes Pult übernimmt Änderungen beim nächsten Laden. Die Direktive darf mehrmals vorkommen.',
  allowed_paths:
    'Weitere Ordner neben dem Datenordner, deren Dateien über die APIs und das Pult im Browser angegeben werden dürfen: Eingänge, Playlists, Ersatzdateien, Protokolldateien, Zertifikate und so weiter. Links werden aufgelöst, bei der Angabe und bei jedem Öffnen durch einen Eingang. Pfade in der Konfigurationsdatei selbst sind frei; Einträge einer Playlist müssen immer in diesen Ordnern liegen. Die Direktive lässt sich nur in der Datei ändern.',
  'file.auth':
    'Ältere Form von `on_play` für alle Streams ohne eigenes `on_play` oder `auth`; Optionen gehen als Parameter an das Backend.',
  'file.on_play':
    'Backend, das über jede neue Wiedergabe entscheidet, für alle Streams ohne eigenes `on_play` oder `auth`.',
  'file.on_publish': 'Backend, das über jeden neuen Encoder entscheidet, für alle Streams ohne eigenes `on_publish`.',
  auth_backend:
    'Benannte Regeln für Sitzungen aus Listen und Backends. Streams verweisen darauf mit `on_play auth://name`. Geprüft werden der Reihe nach Token, Adressen, Länder und Player, jeweils erlaubte vor verbotenen; der erste Treffer gilt. Danach werden die Backends gefragt.',
  auth_token: 'Name des Parameters in der Adresse, der das Token eines Zuschauers enthält.',
  geoip:
    'Datei im MaxMind-DB-Format (`.mmdb`), die Adressen ihren Ländern zuordnet. Relative Pfade beginnen im Datenordner. Ohne Datei ist kein Land bekannt.',
  ads_log_retention: 'Aufbewahrungszeit des Protokolls gesendeter Werbung.',
  operations_log_hot:
    'Wie lange Vorgänge von Abonnenten in der Datenbank bleiben. Ältere liegen komprimiert in einer Datei je Monat; die Suche findet sie weiterhin, nur langsamer.',
  operations_log_archive:
    'Alter, ab dem die Vorgänge eines Monats stärker komprimiert und in den Ordner für alte Monate verschoben werden.',
  operations_log_cold:
    'Ordner für Monate, die älter sind als `operations_log_archive`; Vorgabe ist `operations/cold` im Datenordner. Relative Pfade beginnen dort. Monate, die bereits anderswo liegen, bleiben dort.',
  no_auto_token: 'Weist Zuschauer ohne Token ab, statt ihnen eines zu geben.',
  'file.play_key': 'Dasselbe für alle Streams ohne eigenen `play_key`.',
  'file.publish_key': 'Dasselbe für alle Streams ohne eigenen `publish_key`.',
  'file.alarm': 'Dasselbe für alle Streams, die für diese Art nichts anderes festlegen.',
  event_sink:
    'Ziel für Ereignisse; siehe Events in der Dokumentation. Jedes Ziel hat eine Warteschlange auf dem Datenträger (`events/` im Datenordner): Nicht zugestellte Ereignisse warten dort, auch über Neustarts. Nach dem Entfernen eines Ziels bleibt seine Warteschlange 7 Tage erhalten.',
  rtsp: 'Adresse und Port für RTSP-Player und -Encoder.',
  srt: 'Adresse und Port für SRT-Verbindungen (Caller).',
  snmp: 'Adresse und Port für SNMP.',
  mysql: 'Adresse und Port für Programme, die Statistiken über das MySQL-Protokoll lesen.',
  'file.cluster_key': 'Das gemeinsame Geheimnis der Server eines Clusters.',
  loglevel: 'Umfang des Protokolls.',
  log_requests: 'Protokolliert jede HTTP-Anfrage.',
  'file.root': 'Ordner, in dem relative Pfade dieser Konfiguration beginnen.',
  pulsedb: 'Speicherort der Messwerte.',
  vod: 'VOD-Ort: Dateien, die unter dem Präfix abgespielt werden. Die ältere Form ist `file prefix { path …; }`.',
  'file.dvr': 'Ein benannter Speicher für Archive; Streams zeichnen mit `dvr @name` dorthin auf.',
  file_processor:
    'Bereitet Clips für Werbung vor: Aufträge der API wandeln Dateien in das Format eines Streams um (siehe Advertisements in der Dokumentation).',
  source: 'Anderer Server, dessen Streams auch hier angeboten werden.',
  peer: 'Ein anderer Server des Clusters.',
  rproxy: 'Gateway, über das sich Agenten an Kameras verbinden.',
  'file.cache': 'Ein benannter Cache auf dem Datenträger für Segmente.',
  'file.logo': 'Ein benanntes Bild für die Ecke von Streams.',
};
