/** German descriptions of top-level directives and blocks, by their English text in the server's tables. */
export const SERVER_DOCS_DE: Readonly<Record<string, string>> = {
  'Where the server listens for players, the desk in a browser and the HTTP APIs. Without a host it listens on all addresses of the machine. The directive may come several times; port 0 lets the system choose one. A change takes effect without a restart; connections through a port that went away end after five seconds.':
    'Adresse und Port für Player, das Pult im Browser und die HTTP-APIs. Ohne Rechnernamen lauscht der Server auf allen Adressen. Die Direktive darf mehrmals vorkommen; mit Port 0 wählt das System einen freien Port. Änderungen wirken ohne Neustart; Verbindungen über einen entfernten Port enden nach fünf Sekunden.',
  'Where the server listens for encoders that publish by RTMP. Hosts, ports and changes as with `http`.':
    'Adresse und Port für Encoder, die über RTMP senden. Rechnername, Port und Änderungen wie bei `http`.',
  'Where the server listens for encoders that publish by RTMP over TLS (RTMPS). It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.':
    'Adresse und Port für Encoder, die über RTMP mit TLS (RTMPS) senden. Erfordert `ssl_certificate` und `ssl_certificate_key`. Rechnername, Port und Änderungen wie bei `http`.',
  'Where the server listens for the same over TLS. It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.':
    'Adresse und Port für dasselbe über TLS. Erfordert `ssl_certificate` und `ssl_certificate_key`. Rechnername, Port und Änderungen wie bei `http`.',
  'The certificate for `https` and those that vouch for it, in one PEM file. A path without `/` at its start counts from the data folder. A file that changes is read again within ten seconds.':
    'Zertifikat für `https` mit seiner Zertifikatskette, in einer PEM-Datei. Ein Pfad ohne `/` am Anfang beginnt im Datenordner. Eine geänderte Datei wird innerhalb von zehn Sekunden neu gelesen.',
  'The private key of the certificate, in a PEM file without a password.':
    'Privater Schlüssel des Zertifikats, in einer PEM-Datei ohne Passwort.',
  'Whether requests for pages, playlists and readings of the APIs that come in the clear are sent to the first `https` port (308). `on` leaves alone what this machine itself asks, and health probes; `all` does not. Segments, publishers and changes are answered as they come. Behind `trusted_proxies` it is their `X-Forwarded-Proto` that counts, and port 443.':
    'Leitet unverschlüsselte Anfragen nach Seiten, Playlists und Auskünften der APIs auf den ersten Port von `https` um (308). `on` nimmt Anfragen dieser Maschine und Zustandsprüfungen aus, `all` nicht. Segmente, Encoder und Änderungen werden nie umgeleitet. Hinter `trusted_proxies` gelten deren `X-Forwarded-Proto` und Port 443.',
  'For how long browsers that came by https come by https only (`Strict-Transport-Security`, RFC 6797). Only answers by https say so; `hsts 0;` takes it back.':
    'Wie lange Browser nach einem Besuch über https nur noch https benutzen (`Strict-Transport-Security`, RFC 6797). Nur Antworten über https enthalten die Angabe; `hsts 0;` hebt sie auf.',
  'How many streams there may be under live prefixes and templates, with those whose publisher has left and that are not forgotten yet; those of which only the archive is left do not count. One more is refused with `publish_limit`.':
    'Höchstzahl der Streams unter Live-Präfixen und Vorlagen. Streams, deren Encoder getrennt ist und die noch nicht vergessen sind, zählen mit; Streams, von denen nur das Archiv übrig ist, nicht. Weitere werden mit `publish_limit` abgewiesen.',
  'How many of them there may be under one live prefix or template.':
    'Höchstzahl davon unter einem Live-Präfix oder einer Vorlage.',
  'How many of them one address may have made; an IPv6 network of 64 bits counts as one address. The machine of the server has no such limit.':
    'Höchstzahl davon, die eine Adresse anlegen darf; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für die Maschine des Servers gilt die Grenze nicht.',
  'How many connections there may be to all ports for HTTP together. One more is closed at once. On Linux there are never more than the file handles of the process allow: 85 % of them with those that are open for other things, or half of what these leave, less those for `rtmp_connections`. That it is less than configured stands in the log.':
    'Höchstzahl der Verbindungen zu allen HTTP-Ports zusammen. Weitere werden sofort geschlossen. Unter Linux begrenzen die Datei-Handles des Prozesses die Zahl zusätzlich: höchstens 85 % davon einschließlich der sonst geöffneten, oder die Hälfte des Rests, abzüglich `rtmp_connections`. Ist die Zahl kleiner als eingestellt, steht das im Protokoll.',
  'How many of them one address may have; an IPv6 network of 64 bits counts as one address. The machine of the server and `trusted_proxies` have no such limit.':
    'Höchstzahl davon für eine Adresse; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für die Maschine des Servers und `trusted_proxies` gilt die Grenze nicht.',
  'How many of all are kept for the machine of the server and for publishers by HTTP; half of all at most. Others are answered with 503 when only these are left.':
    'Zahl der Verbindungen, die der Maschine des Servers und Encodern über HTTP vorbehalten sind; höchstens die Hälfte. Andere bekommen 503, wenn nur noch diese frei sind.',
  'How many connections there may be to all ports for RTMP and RTMPS together, of encoders that publish and of those that only connect. One more is closed at once. With ports of both kinds neither takes the last quarter. On Linux they have a quarter of the connections that file handles allow (see `http_connections`), and what HTTP leaves of them.':
    'Höchstzahl der Verbindungen zu allen Ports für RTMP und RTMPS zusammen, auch von Encodern, die nur verbunden sind. Weitere werden sofort geschlossen. Gibt es Ports beider Arten, bleibt jeder das letzte Viertel erhalten. Unter Linux stehen dafür ein Viertel der Verbindungen, die die Datei-Handles erlauben (siehe `http_connections`), und der von HTTP nicht benutzte Rest zur Verfügung.',
  'How many of them one address may have; an IPv6 network of 64 bits counts as one address. The machine of the server has no such limit.':
    'Höchstzahl davon für eine Adresse; ein IPv6-Netz mit 64 Bit zählt als eine Adresse. Für die Maschine des Servers gilt die Grenze nicht.',
  'Who may change things through the desk and the HTTP APIs, and read the configuration. Without it changes are taken only from the machine of the server. The password may be a hash, as `npm run serve -- --hash-password` makes one.':
    'Login für Änderungen über das Pult und die HTTP-APIs und zum Lesen der Konfiguration. Ohne die Direktive darf nur die Maschine des Servers ändern. Das Passwort kann ein Hash sein; `npm run serve -- --hash-password` erzeugt ihn.',
  'Who may read through the desk and the HTTP APIs; without it all may. A login of `edit_auth` may read too. Playing is not affected: players need no login.':
    'Login zum Lesen über das Pult und die HTTP-APIs; ohne die Direktive dürfen alle lesen. Logins von `edit_auth` dürfen ebenfalls lesen. Das Abspielen ist nicht betroffen: Player brauchen keinen Login.',
  'Who may use the HTTP APIs under `/streamer/` besides `edit_auth`, to read and to change. With it, they always need a login.':
    'Weiterer Login neben `edit_auth` für die HTTP-APIs unter `/streamer/`, zum Lesen und Ändern. Mit der Direktive verlangen sie immer einen Login.',
  'A token for programs: `Authorization: Bearer airdesk_…`. What it may do is its `scope`, and on which streams its `prefix`. Only its hash is kept; see `security.md`.':
    'Token für Programme: `Authorization: Bearer airdesk_…`. Sein `scope` legt fest, was es darf, sein `prefix`, für welche Streams. Gespeichert wird nur sein Hash; siehe `security.md`.',
  'Addresses and networks of the proxies in front of this server. Only their `X-Forwarded-For` and `X-Real-IP` say where a request comes from. The directive may come several times.':
    'Adressen und Netze der Proxys vor diesem Server. Nur ihre Kopfzeilen `X-Forwarded-For` und `X-Real-IP` bestimmen, woher eine Anfrage kommt. Die Direktive darf mehrmals vorkommen.',
  'Names by which this machine is called, besides `localhost` and its host name. Without credentials only requests to one of them, or to an IP address, count as coming from this machine: a page in a browser could give a name of its own to it.':
    'Weitere Namen dieser Maschine neben `localhost` und ihrem Rechnernamen. Ohne Login zählen nur Anfragen an einen dieser Namen oder an eine IP-Adresse als lokal: Sonst könnte eine Seite im Browser der Maschine einen eigenen Namen geben.',
  'Origins of web dashboards: their pages may use the HTTP APIs from a browser as pages of this server may. Pages of all others may neither read the answers nor change anything. The directive may come several times.':
    'Origins von Web-Dashboards, deren Seiten die HTTP-APIs im Browser benutzen dürfen wie Seiten dieses Servers. Andere Seiten können weder Antworten lesen noch etwas ändern. Die Direktive darf mehrmals vorkommen.',
  'Origins of the web pages that cells of the wall may show; without it they show none. A page can neither reach the desk nor lead elsewhere, one of this server neither, and one that forbids frames stays empty. A desk that is open takes a change when it is loaded again. The directive may come several times.':
    'Origins der Webseiten, die Kacheln der Wand zeigen dürfen; ohne die Direktive zeigen sie keine. Die Seiten haben keinen Zugriff auf das Pult und können es nicht verlassen, auch Seiten dieses Servers nicht. Verbietet eine Seite die Einbettung, bleibt die Kachel leer. Ein offenes Pult übernimmt Änderungen beim nächsten Laden. Die Direktive darf mehrmals vorkommen.',
  'Folders, besides the data folder, whose files may be named through the APIs and the desk in a browser: inputs, playlists, backup files, log files, certificates and so on. Where links lead to counts, when it is named and each time that an input opens it. What stands in the configuration file may lie anywhere; the entries of a playlist always have to lie in these folders. This directive can only be changed in the file.':
    'Weitere Ordner neben dem Datenordner, deren Dateien über die APIs und das Pult im Browser angegeben werden dürfen: Eingänge, Playlists, Ersatzdateien, Logdateien, Zertifikate und so weiter. Links werden aufgelöst, bei der Angabe und bei jedem Öffnen durch einen Eingang. Pfade in der Konfigurationsdatei selbst sind frei; Einträge einer Playlist müssen immer in diesen Ordnern liegen. Die Direktive lässt sich nur in der Datei ändern.',
  'The older form of `on_play` for all streams that have neither of their own; options go to the backend as parameters.':
    'Ältere Form von `on_play` für alle Streams, die keines von beiden haben; Optionen gehen als Parameter an das Backend.',
  'The backend that is asked before a session may play, for all streams without an `on_play` or `auth` of their own.':
    'Backend, das über jede neue Wiedergabe entscheidet, für alle Streams ohne eigenes `on_play` oder `auth`.',
  'The backend that is asked before an encoder may publish, for all streams without an `on_publish` of their own.':
    'Backend, das über jeden neuen Encoder entscheidet, für alle Streams ohne eigenes `on_publish`.',
  'A named way to decide about sessions: lists, and backends. Streams use it with `on_play auth://name`. Tokens come before addresses before countries before players, allowed before denied; what fits first holds. Then the backends are asked.':
    'Benannte Regeln für Sitzungen aus Listen und Backends. Streams verweisen darauf mit `on_play auth://name`. Geprüft werden der Reihe nach Token, Adressen, Länder und Player, jeweils erlaubte vor verbotenen; der erste Treffer gilt. Danach werden die Backends gefragt.',
  'The query parameter that carries the token of a viewer.':
    'Name des Parameters in der Adresse, der das Token eines Zuschauers enthält.',
  'A file in the MaxMind DB format (`.mmdb`) with the countries of addresses. Relative paths start from the data folder. Without it no country is known.':
    'Datei im MaxMind-DB-Format (`.mmdb`), die Adressen ihren Ländern zuordnet. Relative Pfade beginnen im Datenordner. Ohne Datei ist kein Land bekannt.',
  'How long the log of advertisements that were sent is kept.': 'Aufbewahrungszeit des Protokolls gesendeter Werbung.',
  'How long operations of subscribers stay in the database. Older ones lie packed in a file a month, and are found as before, more slowly.':
    'Wie lange Vorgänge von Abonnenten in der Datenbank bleiben. Ältere liegen komprimiert in einer Datei je Monat; die Suche findet sie weiterhin, nur langsamer.',
  'How old the operations of a month become before they are packed harder and moved to the cold folder.':
    'Alter, ab dem die Vorgänge eines Monats stärker komprimiert und in den Ordner für alte Monate verschoben werden.',
  'Folder of the months that are older than that; by default `operations/cold` in the data folder. A relative path starts there. Months that lie elsewhere already stay where they are.':
    'Ordner für diese alten Monate; Vorgabe ist `operations/cold` im Datenordner. Relative Pfade beginnen dort. Monate, die bereits anderswo liegen, bleiben dort.',
  'Viewers without a token are refused instead of being given one.':
    'Weist Zuschauer ohne Token ab, statt ihnen eines zu geben.',
  'The same for all streams without a `play_key` of their own.': 'Dasselbe für alle Streams ohne eigenen `play_key`.',
  'The same for all streams without a `publish_key` of their own.':
    'Dasselbe für alle Streams ohne eigenen `publish_key`.',
  'The same for all streams that do not say otherwise of the kind.':
    'Dasselbe für alle Streams, die für diese Art nichts anderes festlegen.',
  'Where events are sent; see `events.md`. Each sink has a queue on disk (`events/` in the data folder): what it could not deliver waits there, over restarts too. The queue of a sink that is removed is kept for 7 days.':
    'Ziel für Ereignisse; siehe `events.md`. Jedes Ziel hat eine Warteschlange auf dem Datenträger (`events/` im Datenordner): Nicht zugestellte Ereignisse warten dort, auch über Neustarts. Nach dem Entfernen eines Ziels bleibt seine Warteschlange 7 Tage erhalten.',
  'Where the server listens for RTSP players and publishers.': 'Adresse und Port für RTSP-Player und -Encoder.',
  'Where the server listens for SRT callers.': 'Adresse und Port für SRT-Verbindungen (Caller).',
  'Where the server listens for SNMP agents.': 'Adresse und Port für SNMP.',
  'Where the server listens for clients that read statistics in the MySQL protocol.':
    'Adresse und Port für Programme, die Statistiken über das MySQL-Protokoll lesen.',
  'The secret that the servers of a cluster share.': 'Das gemeinsame Geheimnis der Server eines Clusters.',
  'How much is logged.': 'Umfang des Protokolls.',
  'Whether every HTTP request is logged.': 'Protokolliert jede HTTP-Anfrage.',
  'The folder that relative paths of this text start from.':
    'Ordner, in dem relative Pfade dieser Konfiguration beginnen.',
  'Where measurements are kept.': 'Speicherort der Messwerte.',
  'A VOD location: recorded files, played under the prefix. The older form is `file prefix { path …; }`.':
    'VOD-Ort: Dateien, die unter dem Präfix abgespielt werden. Die ältere Form ist `file prefix { path …; }`.',
  'A named storage for archives; streams record to it with `dvr @name`.':
    'Ein benannter Speicher für Archive; Streams zeichnen mit `dvr @name` dorthin auf.',
  'Makes clips for advertisements: jobs of the API bring files into the format of a stream (see `ads.md`).':
    'Bereitet Clips für Werbung vor: Aufträge der API wandeln Dateien in das Format eines Streams um (siehe `ads.md`).',
  'A server whose streams are offered here too.': 'Anderer Server, dessen Streams auch hier angeboten werden.',
  'Another server of the cluster.': 'Ein anderer Server des Clusters.',
  'The gateway through which agents at cameras connect.': 'Gateway, über das sich Agenten an Kameras verbinden.',
  'A named cache on disk for segments.': 'Ein benannter Cache auf dem Datenträger für Segmente.',
  'A named picture for the corner of streams.': 'Ein benanntes Bild für die Ecke von Streams.',
};
