/** German descriptions of top-level directives and blocks, by their English text in the server's tables. */
export const SERVER_DOCS_DE: Readonly<Record<string, string>> = {
  'Port for players, the desk in a browser and the HTTP APIs. Without a host, the server listens on all addresses of the machine. The directive may repeat; port 0 lets the system choose one. A change takes effect without a restart; connections through a removed port end after five seconds.':
    'Adresse und Port für Player, das Pult im Browser und die HTTP-APIs. Ohne Rechnernamen lauscht der Server auf allen Adressen. Die Direktive darf mehrmals vorkommen; mit Port 0 wählt das System einen freien Port. Änderungen wirken ohne Neustart; Verbindungen über einen entfernten Port enden nach fünf Sekunden.',
  'Port for encoders that publish by RTMP. Hosts, ports and changes as with `http`.':
    'Adresse und Port für Encoder, die über RTMP senden. Rechnername, Port und Änderungen wie bei `http`.',
  'Port for encoders that publish by RTMP over TLS (RTMPS). It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.':
    'Adresse und Port für Encoder, die über RTMP mit TLS (RTMPS) senden. Erfordert `ssl_certificate` und `ssl_certificate_key`. Rechnername, Port und Änderungen wie bei `http`.',
  'Port for players, the desk and the HTTP APIs over TLS. It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.':
    'Adresse und Port für dasselbe über TLS. Erfordert `ssl_certificate` und `ssl_certificate_key`. Rechnername, Port und Änderungen wie bei `http`.',
  'Certificate for `https` with its intermediate certificates, in one PEM file. A path without `/` at its start is relative to the data folder. A changed file is read again within ten seconds.':
    'Zertifikat für `https` mit seiner Zertifikatskette, in einer PEM-Datei. Ein Pfad ohne `/` am Anfang beginnt im Datenordner. Eine geänderte Datei wird innerhalb von zehn Sekunden neu gelesen.',
  'The private key of the certificate, in a PEM file without a password.':
    'Privater Schlüssel des Zertifikats, in einer PEM-Datei ohne Passwort.',
  'Whether unencrypted requests for pages and playlists, and read requests of the APIs, are redirected to the first `https` port (308). `on` excludes requests from this machine and health probes; `all` does not. Segments, publishers and changes are never redirected. Behind `trusted_proxies`, their `X-Forwarded-Proto` decides, and the port is 443.':
    'Leitet unverschlüsselte Anfragen nach Seiten, Playlists und Auskünften der APIs auf den ersten Port von `https` um (308). `on` nimmt Anfragen dieser Maschine und Zustandsprüfungen aus, `all` nicht. Segmente, Encoder und Änderungen werden nie umgeleitet. Hinter `trusted_proxies` gelten deren `X-Forwarded-Proto` und Port 443.',
  'Time for which browsers use https only after a visit over https (`Strict-Transport-Security`, RFC 6797). Only answers over https contain the header; `hsts 0;` revokes it.':
    'Wie lange Browser nach einem Besuch über https nur noch https benutzen (`Strict-Transport-Security`, RFC 6797). Nur Antworten über https enthalten die Angabe; `hsts 0;` hebt sie auf.',
  'Maximum number of streams under live prefixes and templates, including streams whose publisher left recently; streams with only an archive do not count. Further ones are refused with `publish_limit`.':
    'Höchstzahl der Streams unter Live-Präfixen und Vorlagen. Streams, deren Encoder getrennt ist und die noch nicht vergessen sind, zählen mit; Streams, von denen nur das Archiv übrig ist, nicht. Weitere werden mit `publish_limit` abgewiesen.',
  'Maximum number of published streams under one live prefix or template.':
    'Höchstzahl davon unter einem Live-Präfix oder einer Vorlage.',
  'Maximum number of published streams of one address; a /64 network of IPv6 counts as one address. The machine of the server has no such limit.':
    'Höchstzahl davon, die eine Adresse anlegen darf; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für die Maschine des Servers gilt die Grenze nicht.',
  'Maximum number of connections to all HTTP ports together. Further ones are closed at once. On Linux, the file handles of the process limit it further: to 85 % of them including other open files, or half of the rest, minus those for `rtmp_connections`. A lower limit than configured is logged.':
    'Höchstzahl der Verbindungen zu allen HTTP-Ports zusammen. Weitere werden sofort geschlossen. Unter Linux begrenzen die Datei-Handles des Prozesses die Zahl zusätzlich: höchstens 85 % davon einschließlich der sonst geöffneten, oder die Hälfte des Rests, abzüglich `rtmp_connections`. Ist die Zahl kleiner als eingestellt, steht das im Protokoll.',
  'Maximum number of HTTP connections of one address; a /64 network of IPv6 counts as one address. The machine of the server and `trusted_proxies` have no such limit.':
    'Höchstzahl davon für eine Adresse; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für die Maschine des Servers und `trusted_proxies` gilt die Grenze nicht.',
  'Number of HTTP connections reserved for the machine of the server and for publishers over HTTP; at most half of all. When only these are left, other clients get 503.':
    'Zahl der Verbindungen, die der Maschine des Servers und Encodern über HTTP vorbehalten sind; höchstens die Hälfte. Andere bekommen 503, wenn nur noch diese frei sind.',
  'Maximum number of connections to all RTMP and RTMPS ports together, publishing or not. Further ones are closed at once. With ports of both kinds, a quarter is reserved for each. On Linux they have a quarter of the connections that file handles allow (see `http_connections`), plus those that HTTP leaves unused.':
    'Höchstzahl der Verbindungen zu allen Ports für RTMP und RTMPS zusammen, auch von Encodern, die nur verbunden sind. Weitere werden sofort geschlossen. Gibt es Ports beider Arten, bleibt jeder das letzte Viertel erhalten. Unter Linux stehen dafür ein Viertel der Verbindungen, die die Datei-Handles erlauben (siehe `http_connections`), und der von HTTP nicht benutzte Rest zur Verfügung.',
  'Maximum number of RTMP connections of one address; a /64 network of IPv6 counts as one address. The machine of the server has no such limit.':
    'Höchstzahl davon für eine Adresse; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für die Maschine des Servers gilt die Grenze nicht.',
  'Login for changes through the desk and the HTTP APIs, and for reading the configuration. Without it, changes are accepted only from the machine of the server. The password may be a hash, made with `npm run serve -- --hash-password`.':
    'Login für Änderungen über das Pult und die HTTP-APIs und zum Lesen der Konfiguration. Ohne die Direktive darf nur die Maschine des Servers ändern. Das Passwort kann ein Hash sein; `npm run serve -- --hash-password` erzeugt ihn.',
  'Login for reading through the desk and the HTTP APIs; without it, reading needs no login. A login of `edit_auth` may read too. Playback is not affected: players need no login.':
    'Login zum Lesen über das Pult und die HTTP-APIs; ohne die Direktive dürfen alle lesen. Logins von `edit_auth` dürfen ebenfalls lesen. Das Abspielen ist nicht betroffen: Player brauchen keinen Login.',
  'Another login for the HTTP APIs under `/streamer/`, besides `edit_auth`, for reading and changing. With it, these APIs always need a login.':
    'Weiterer Login neben `edit_auth` für die HTTP-APIs unter `/streamer/`, zum Lesen und Ändern. Mit der Direktive verlangen sie immer einen Login.',
  'A token for programs: `Authorization: Bearer airdesk_…`. `scope` sets its rights, and `prefix` its streams. Only its hash is stored; see Security in the documentation.':
    'Token für Programme: `Authorization: Bearer airdesk_…`. Sein `scope` legt fest, was es darf, sein `prefix`, für welche Streams. Gespeichert wird nur sein Hash; siehe Security in der Dokumentation.',
  'Addresses and networks of the proxies in front of this server. Only their `X-Forwarded-For` and `X-Real-IP` headers are trusted. The directive may repeat.':
    'Adressen und Netze der Proxys vor diesem Server. Nur ihre Kopfzeilen `X-Forwarded-For` und `X-Real-IP` bestimmen, woher eine Anfrage kommt. Die Direktive darf mehrmals vorkommen.',
  'Host names of this machine, besides `localhost` and its own host name. Without credentials only requests to one of them, or to an IP address, count as coming from this machine: otherwise a web page could let a name of its own resolve to it.':
    'Weitere Namen dieser Maschine neben `localhost` und ihrem Rechnernamen. Ohne Login zählen nur Anfragen an einen dieser Namen oder an eine IP-Adresse als lokal: Sonst könnte eine Seite im Browser der Maschine einen eigenen Namen geben.',
  'Origins of web dashboards, whose pages may use the HTTP APIs from a browser like pages of this server. Pages of other origins may neither read answers nor change anything. The directive may repeat.':
    'Origins von Web-Dashboards, deren Seiten die HTTP-APIs im Browser benutzen dürfen wie Seiten dieses Servers. Andere Seiten können weder Antworten lesen noch etwas ändern. Die Direktive darf mehrmals vorkommen.',
  'Origins of web pages that cells of the wall may show; default: none. A page can neither access the desk nor navigate elsewhere, and a page that forbids frames stays empty. An open desk applies a change after it is reloaded. The directive may repeat.':
    'Origins der Webseiten, die Kacheln der Wand zeigen dürfen; ohne die Direktive zeigen sie keine. Die Seiten haben keinen Zugriff auf das Pult und können es nicht verlassen, auch Seiten dieses Servers nicht. Verbietet eine Seite die Einbettung, bleibt die Kachel leer. Ein offenes Pult übernimmt Änderungen beim nächsten Laden. Die Direktive darf mehrmals vorkommen.',
  'Folders, besides the data folder, whose files may be named through the APIs and the desk in a browser: inputs, playlists, backup files, log files, certificates and so on. Links are resolved when a file is named and each time that an input opens it. Files named in the configuration file may be anywhere, but the entries of a playlist must be in these folders. This directive can only be changed in the file.':
    'Weitere Ordner neben dem Datenordner, deren Dateien über die APIs und das Pult im Browser angegeben werden dürfen: Eingänge, Playlists, Ersatzdateien, Logdateien, Zertifikate und so weiter. Links werden aufgelöst, bei der Angabe und bei jedem Öffnen durch einen Eingang. Pfade in der Konfigurationsdatei selbst sind frei; Einträge einer Playlist müssen immer in diesen Ordnern liegen. Die Direktive lässt sich nur in der Datei ändern.',
  'Older form of `on_play` for all streams without their own `on_play` or `auth`; options are passed to the backend as parameters.':
    'Ältere Form von `on_play` für alle Streams ohne eigenes `on_play` oder `auth`; Optionen gehen als Parameter an das Backend.',
  'Backend that authorizes sessions of all streams without their own `on_play` or `auth`.':
    'Backend, das über jede neue Wiedergabe entscheidet, für alle Streams ohne eigenes `on_play` oder `auth`.',
  'Backend that authorizes encoders of all streams without their own `on_publish`.':
    'Backend, das über jeden neuen Encoder entscheidet, für alle Streams ohne eigenes `on_publish`.',
  'Named authorization of sessions by lists and backends. Streams use it with `on_play auth://name`. Tokens are checked before addresses, countries and players, and allowed entries before denied ones; the first match decides. Then the backends are asked.':
    'Benannte Regeln für Sitzungen aus Listen und Backends. Streams verweisen darauf mit `on_play auth://name`. Geprüft werden der Reihe nach Token, Adressen, Länder und Player, jeweils erlaubte vor verbotenen; der erste Treffer gilt. Danach werden die Backends gefragt.',
  'Query parameter with the token of a viewer.':
    'Name des Parameters in der Adresse, der das Token eines Zuschauers enthält.',
  'A file in the MaxMind DB format (`.mmdb`) with the countries of addresses. Relative paths start from the data folder. Without it, countries are unknown.':
    'Datei im MaxMind-DB-Format (`.mmdb`), die Adressen ihren Ländern zuordnet. Relative Pfade beginnen im Datenordner. Ohne Datei ist kein Land bekannt.',
  'Time that the log of sent advertisements is kept.': 'Aufbewahrungszeit des Protokolls gesendeter Werbung.',
  'Time that operations of subscribers stay in the database. Older ones are moved to a compressed file for each month; finding them takes longer.':
    'Wie lange Vorgänge von Abonnenten in der Datenbank bleiben. Ältere liegen komprimiert in einer Datei je Monat; die Suche findet sie weiterhin, nur langsamer.',
  'Age at which the operations of a month are compressed further and moved to the cold folder.':
    'Alter, ab dem die Vorgänge eines Monats stärker komprimiert und in den Ordner für alte Monate verschoben werden.',
  'Folder of months older than `operations_log_archive`; default `operations/cold` in the data folder. Relative paths start in the data folder. Months that are already elsewhere stay there.':
    'Ordner für Monate, die älter sind als `operations_log_archive`; Vorgabe ist `operations/cold` im Datenordner. Relative Pfade beginnen dort. Monate, die bereits anderswo liegen, bleiben dort.',
  'Refuses viewers without a token instead of generating one.':
    'Weist Zuschauer ohne Token ab, statt ihnen eines zu geben.',
  'Signing keys of all streams without their own `play_key`.': 'Dasselbe für alle Streams ohne eigenen `play_key`.',
  'Publishing keys of all streams without their own `publish_key`.':
    'Dasselbe für alle Streams ohne eigenen `publish_key`.',
  'Alarm of all streams that do not configure this kind themselves.':
    'Dasselbe für alle Streams, die für diese Art nichts anderes festlegen.',
  'Target of events; see Events in the documentation. Each sink has a queue on disk (`events/` in the data folder), where undelivered events wait, also over restarts. The queue of a removed sink is kept for 7 days.':
    'Ziel für Ereignisse; siehe Events in der Dokumentation. Jedes Ziel hat eine Warteschlange auf dem Datenträger (`events/` im Datenordner): Nicht zugestellte Ereignisse warten dort, auch über Neustarts. Nach dem Entfernen eines Ziels bleibt seine Warteschlange 7 Tage erhalten.',
  'Port for RTSP players and publishers.': 'Adresse und Port für RTSP-Player und -Encoder.',
  'Port for SRT callers.': 'Adresse und Port für SRT-Verbindungen (Caller).',
  'Port for SNMP agents.': 'Adresse und Port für SNMP.',
  'Port for clients that read statistics in the MySQL protocol.':
    'Adresse und Port für Programme, die Statistiken über das MySQL-Protokoll lesen.',
  'The secret that the servers of a cluster share.': 'Das gemeinsame Geheimnis der Server eines Clusters.',
  'Log level.': 'Umfang des Protokolls.',
  'Whether every HTTP request is logged.': 'Protokolliert jede HTTP-Anfrage.',
  'The folder that relative paths of this text start from.':
    'Ordner, in dem relative Pfade dieser Konfiguration beginnen.',
  'Storage of measurements.': 'Speicherort der Messwerte.',
  'A VOD location: recorded files, played under the prefix. The older form is `file prefix { path …; }`.':
    'VOD-Ort: Dateien, die unter dem Präfix abgespielt werden. Die ältere Form ist `file prefix { path …; }`.',
  'A named storage for archives; streams record to it with `dvr @name`.':
    'Ein benannter Speicher für Archive; Streams zeichnen mit `dvr @name` dorthin auf.',
  'Makes clips for advertisements: jobs of the API convert files to the format of a stream (see Advertisements in the documentation).':
    'Bereitet Clips für Werbung vor: Aufträge der API wandeln Dateien in das Format eines Streams um (siehe Advertisements in der Dokumentation).',
  'A server whose streams are offered here too.': 'Anderer Server, dessen Streams auch hier angeboten werden.',
  'Another server of the cluster.': 'Ein anderer Server des Clusters.',
  'The gateway through which agents at cameras connect.': 'Gateway, über das sich Agenten an Kameras verbinden.',
  'A named cache on disk for segments.': 'Ein benannter Cache auf dem Datenträger für Segmente.',
  'A named picture for the corner of streams.': 'Ein benanntes Bild für die Ecke von Streams.',
};
