/** German descriptions of top-level directives and blocks, by their English text in the server's tables. */
export const SERVER_DOCS_DE: Readonly<Record<string, string>> = {
  'Where the server listens for players, the desk in a browser and the HTTP APIs. Without a host it listens on all addresses of the machine. The directive may come several times; port 0 lets the system choose one. A change takes effect without a restart; connections through a port that went away end after five seconds.':
    'Wo der Server auf Player, das Pult im Browser und die HTTP-APIs wartet. Ohne Rechner an allen Adressen der Maschine. Die Direktive darf mehrmals stehen; mit Port 0 wählt das System einen. Eine Änderung wirkt ohne Neustart; Verbindungen über einen Port, der verschwand, enden nach fünf Sekunden.',
  'Where the server listens for encoders that publish by RTMP. Hosts, ports and changes as with `http`.':
    'Wo der Server auf Encoder wartet, die über RTMP senden. Rechner, Ports und Änderungen wie bei `http`.',
  'Where the server listens for encoders that publish by RTMP over TLS (RTMPS). It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.':
    'Wo der Server auf Encoder wartet, die über RTMP mit TLS (RTMPS) senden. Dafür braucht es `ssl_certificate` und `ssl_certificate_key`. Rechner, Ports und Änderungen wie bei `http`.',
  'Where the server listens for the same over TLS. It needs `ssl_certificate` and `ssl_certificate_key`. Hosts, ports and changes as with `http`.':
    'Wo der Server auf dasselbe über TLS wartet. Dafür braucht es `ssl_certificate` und `ssl_certificate_key`. Rechner, Ports und Änderungen wie bei `http`.',
  'The certificate for `https` and those that vouch for it, in one PEM file. A path without `/` at its start counts from the data folder. A file that changes is read again within ten seconds.':
    'Das Zertifikat für `https` und die, die dafür bürgen, in einer PEM-Datei. Ein Pfad ohne `/` am Anfang zählt ab dem Datenordner. Eine Datei, die sich ändert, wird binnen zehn Sekunden neu gelesen.',
  'The private key of the certificate, in a PEM file without a password.':
    'Der private Schlüssel des Zertifikats, in einer PEM-Datei ohne Passwort.',
  'Whether requests for pages, playlists and readings of the APIs that come in the clear are sent to the first `https` port (308). `on` leaves alone what this machine itself asks, and health probes; `all` does not. Segments, publishers and changes are answered as they come. Behind `trusted_proxies` it is their `X-Forwarded-Proto` that counts, and port 443.':
    'Ob unverschlüsselte Anfragen nach Seiten, Playlists und Auskünften der APIs zum ersten Port von `https` geschickt werden (308). `on` lässt aus, was diese Maschine selbst fragt, und Prüfungen der Gesundheit; `all` nicht. Segmente, Sender und Änderungen werden beantwortet, wie sie kommen. Hinter `trusted_proxies` zählt deren `X-Forwarded-Proto`, und Port 443.',
  'For how long browsers that came by https come by https only (`Strict-Transport-Security`, RFC 6797). Only answers by https say so; `hsts 0;` takes it back.':
    'Wie lange Browser, die über https kamen, nur noch über https kommen (`Strict-Transport-Security`, RFC 6797). Nur Antworten über https sagen es; `hsts 0;` nimmt es zurück.',
  'How many streams there may be under live prefixes and templates, with those whose publisher has left and that are not forgotten yet; those of which only the archive is left do not count. One more is refused with `publish_limit`.':
    'Wie viele Streams es unter Live-Präfixen und Vorlagen geben darf, mit denen, deren Encoder fort ist und die noch nicht vergessen sind; wovon nur das Archiv da ist, zählt nicht. Einer mehr wird mit `publish_limit` abgewiesen.',
  'How many of them there may be under one live prefix or template.':
    'Wie viele davon es unter einem Live-Präfix oder einer Vorlage geben darf.',
  'How many of them one address may have made; an IPv6 network of 64 bits counts as one address. The machine of the server has no such limit.':
    'Wie viele davon eine Adresse angelegt haben darf; ein IPv6-Netz von 64 Bit zählt als eine Adresse. Für die Maschine des Servers gilt die Grenze nicht.',
  'How many connections there may be to all ports for HTTP together. One more is closed at once. On Linux there are never more than the file handles of the process allow: 85 % of them with those that are open for other things, or half of what these leave, less those for `rtmp_connections`. That it is less than configured stands in the log.':
    'Wie viele Verbindungen es zu allen HTTP-Ports zusammen geben darf. Eine mehr wird sofort geschlossen. Unter Linux sind es nie mehr, als die Datei-Handles des Prozesses erlauben: 85 % davon mit denen, die für anderes offen sind, oder die Hälfte dessen, was diese übrig lassen, ohne die für `rtmp_connections`. Sind es weniger als eingestellt, steht das im Protokoll.',
  'How many of them one address may have; an IPv6 network of 64 bits counts as one address. The machine of the server and `trusted_proxies` have no such limit.':
    'Wie viele davon eine Adresse haben darf; ein IPv6-Netz von 64 Bit zählt als eine Adresse. Für die Maschine des Servers und `trusted_proxies` gilt die Grenze nicht.',
  'How many of all are kept for the machine of the server and for publishers by HTTP; half of all at most. Others are answered with 503 when only these are left.':
    'Wie viele von allen der Maschine des Servers und Sendern über HTTP vorbehalten sind; höchstens die Hälfte. Andere bekommen 503, wenn nur noch diese frei sind.',
  'How many connections there may be to all ports for RTMP and RTMPS together, of encoders that publish and of those that only connect. One more is closed at once. With ports of both kinds neither takes the last quarter. On Linux they have a quarter of the connections that file handles allow (see `http_connections`), and what HTTP leaves of them.':
    'Wie viele Verbindungen es zu allen Ports für RTMP und RTMPS zusammen geben darf, von Encodern, die senden, und von denen, die nur verbunden sind. Eine mehr wird sofort geschlossen. Mit Ports beider Arten nimmt keine das letzte Viertel. Unter Linux haben sie ein Viertel der Verbindungen, die die Datei-Handles erlauben (siehe `http_connections`), und was HTTP davon übrig lässt.',
  'How many of them one address may have; an IPv6 network of 64 bits counts as one address. The machine of the server has no such limit.':
    'Wie viele davon eine Adresse haben darf; ein IPv6-Netz von 64 Bit zählt als eine Adresse. Für die Maschine des Servers gilt die Grenze nicht.',
  'Who may change things through the desk and the HTTP APIs, and read the configuration. Without it changes are taken only from the machine of the server. The password may be a hash, as `npm run serve -- --hash-password` makes one.':
    'Wer über das Pult und die HTTP-APIs ändern und die Konfiguration lesen darf. Ohne das werden Änderungen nur von der Maschine des Servers angenommen. Das Passwort darf ein Hash sein, wie `npm run serve -- --hash-password` ihn macht.',
  'Who may read through the desk and the HTTP APIs; without it all may. A login of `edit_auth` may read too. Playing is not affected: players need no login.':
    'Wer über das Pult und die HTTP-APIs lesen darf; ohne das alle. Ein Login von `edit_auth` darf auch lesen. Das Abspielen betrifft es nicht: Player brauchen keinen Login.',
  'Who may use the HTTP APIs under `/streamer/` besides `edit_auth`, to read and to change. With it, they always need a login.':
    'Wer außer `edit_auth` die HTTP-APIs unter `/streamer/` benutzen darf, zum Lesen und zum Ändern. Damit brauchen sie immer einen Login.',
  'A token for programs: `Authorization: Bearer airdesk_…`. What it may do is its `scope`, and on which streams its `prefix`. Only its hash is kept; see `security.md`.':
    'Ein Token für Programme: `Authorization: Bearer airdesk_…`. Was es darf, sagt sein `scope`, und bei welchen Streams sein `prefix`. Nur sein Hash wird aufgehoben; siehe `security.md`.',
  'Addresses and networks of the proxies in front of this server. Only their `X-Forwarded-For` and `X-Real-IP` say where a request comes from. The directive may come several times.':
    'Adressen und Netze der Proxys vor diesem Server. Nur deren `X-Forwarded-For` und `X-Real-IP` sagen, woher eine Anfrage kommt. Die Direktive darf mehrmals stehen.',
  'Names by which this machine is called, besides `localhost` and its host name. Without credentials only requests to one of them, or to an IP address, count as coming from this machine: a page in a browser could give a name of its own to it.':
    'Namen, unter denen diese Maschine gerufen wird, außer `localhost` und ihrem Rechnernamen. Ohne Login zählen nur Anfragen an einen davon oder an eine IP-Adresse als von dieser Maschine: eine Seite im Browser könnte ihr sonst einen eigenen Namen geben.',
  'Origins of web dashboards: their pages may use the HTTP APIs from a browser as pages of this server may. Pages of all others may neither read the answers nor change anything. The directive may come several times.':
    'Origins von Web-Dashboards: ihre Seiten dürfen die HTTP-APIs aus einem Browser so benutzen wie Seiten dieses Servers. Seiten aller anderen dürfen weder die Antworten lesen noch etwas ändern. Die Direktive darf mehrmals stehen.',
  'Origins of the web pages that cells of the wall may show; without it they show none. A page can neither reach the desk nor lead elsewhere, one of this server neither, and one that forbids frames stays empty. A desk that is open takes a change when it is loaded again. The directive may come several times.':
    'Origins der Webseiten, die Felder der Wand zeigen dürfen; ohne das zeigen sie keine. Eine Seite erreicht weder das Pult noch führt sie fort, eine dieses Servers auch nicht, und eine, die Rahmen verbietet, bleibt leer. Ein offenes Pult übernimmt eine Änderung, wenn es neu geladen wird. Die Direktive darf mehrmals stehen.',
  'Folders, besides the data folder, whose files may be named through the APIs and the desk in a browser: inputs, playlists, backup files, log files, certificates and so on. Where links lead to counts, when it is named and each time that an input opens it. What stands in the configuration file may lie anywhere; the entries of a playlist always have to lie in these folders. This directive can only be changed in the file.':
    'Ordner außer dem Datenordner, deren Dateien über die APIs und das Pult im Browser genannt werden dürfen: Eingänge, Playlists, Ersatzdateien, Logdateien, Zertifikate und so weiter. Wohin Links führen, zählt, wenn die Datei genannt wird und jedes Mal, wenn ein Eingang sie öffnet. Was in der Konfigurationsdatei steht, darf überall liegen; die Einträge einer Playlist müssen immer in diesen Ordnern liegen. Diese Direktive lässt sich nur in der Datei ändern.',
  'The older form of `on_play` for all streams that have neither of their own; options go to the backend as parameters.':
    'Die ältere Form von `on_play` für alle Streams, die keines von beiden haben; Optionen gehen als Parameter an das Backend.',
  'The backend that is asked before a session may play, for all streams without an `on_play` or `auth` of their own.':
    'Das Backend, das gefragt wird, bevor eine Sitzung abspielen darf, für alle Streams ohne eigenes `on_play` oder `auth`.',
  'The backend that is asked before an encoder may publish, for all streams without an `on_publish` of their own.':
    'Das Backend, das gefragt wird, bevor ein Encoder senden darf, für alle Streams ohne eigenes `on_publish`.',
  'A named way to decide about sessions: lists, and backends. Streams use it with `on_play auth://name`. Tokens come before addresses before countries before players, allowed before denied; what fits first holds. Then the backends are asked.':
    'Eine benannte Art, über Sitzungen zu entscheiden: Listen und Backends. Streams benutzen sie mit `on_play auth://name`. Token kommen vor Adressen vor Ländern vor Playern, erlaubt vor verboten; was zuerst passt, gilt. Dann werden die Backends gefragt.',
  'The query parameter that carries the token of a viewer.':
    'Der Parameter der Anfrage, der das Token eines Zuschauers trägt.',
  'A file in the MaxMind DB format (`.mmdb`) with the countries of addresses. Relative paths start from the data folder. Without it no country is known.':
    'Eine Datei im MaxMind-DB-Format (`.mmdb`) mit den Ländern von Adressen. Relative Pfade beginnen im Datenordner. Ohne sie ist kein Land bekannt.',
  'How long the log of advertisements that were sent is kept.':
    'Wie lange das Protokoll gesendeter Werbung aufgehoben wird.',
  'How long operations of subscribers stay in the database. Older ones lie packed in a file a month, and are found as before, more slowly.':
    'Wie lange Vorgänge von Abonnenten in der Datenbank bleiben. Ältere liegen gepackt in einer Datei je Monat und werden gefunden wie zuvor, nur langsamer.',
  'How old the operations of a month become before they are packed harder and moved to the cold folder.':
    'Wie alt die Vorgänge eines Monats werden, bevor sie fester gepackt und in den Ordner für Altes verschoben werden.',
  'Folder of the months that are older than that; by default `operations/cold` in the data folder. A relative path starts there. Months that lie elsewhere already stay where they are.':
    'Ordner der Monate, die älter sind; ohne Angabe `operations/cold` im Datenordner. Ein relativer Pfad beginnt dort. Monate, die schon anderswo liegen, bleiben, wo sie sind.',
  'Viewers without a token are refused instead of being given one.':
    'Zuschauer ohne Token werden abgewiesen, statt dass sie eines bekommen.',
  'The same for all streams without a `play_key` of their own.': 'Dasselbe für alle Streams ohne eigenen `play_key`.',
  'The same for all streams without a `publish_key` of their own.':
    'Dasselbe für alle Streams ohne eigenen `publish_key`.',
  'The same for all streams that do not say otherwise of the kind.':
    'Dasselbe für alle Streams, die zu dieser Art nichts anderes sagen.',
  'Where events are sent; see `events.md`. Each sink has a queue on disk (`events/` in the data folder): what it could not deliver waits there, over restarts too. The queue of a sink that is removed is kept for 7 days.':
    'Wohin Ereignisse gesendet werden; siehe `events.md`. Jedes Ziel hat eine Warteschlange auf dem Datenträger (`events/` im Datenordner): was es nicht zustellen konnte, wartet dort, auch über Neustarts. Die Warteschlange eines Ziels, das entfernt wird, bleibt 7 Tage.',
  'Where the server listens for RTSP players and publishers.': 'Wo der Server auf RTSP-Player und -Sender wartet.',
  'Where the server listens for SRT callers.': 'Wo der Server auf SRT-Anrufer wartet.',
  'Where the server listens for SNMP agents.': 'Wo der Server auf SNMP-Agenten wartet.',
  'Where the server listens for clients that read statistics in the MySQL protocol.':
    'Wo der Server auf Programme wartet, die Statistik über das MySQL-Protokoll lesen.',
  'The secret that the servers of a cluster share.': 'Das gemeinsame Geheimnis der Server eines Clusters.',
  'How much is logged.': 'Wie viel protokolliert wird.',
  'Whether every HTTP request is logged.': 'Ob jede HTTP-Anfrage protokolliert wird.',
  'The folder that relative paths of this text start from.':
    'Der Ordner, in dem relative Pfade dieses Textes beginnen.',
  'Where measurements are kept.': 'Wo Messwerte aufgehoben werden.',
  'A VOD location: recorded files, played under the prefix. The older form is `file prefix { path …; }`.':
    'Ein VOD-Ort: aufgezeichnete Dateien, die unter dem Präfix abgespielt werden. Die ältere Form ist `file prefix { path …; }`.',
  'A named storage for archives; streams record to it with `dvr @name`.':
    'Ein benannter Speicher für Archive; Streams zeichnen mit `dvr @name` dorthin auf.',
  'Makes clips for advertisements: jobs of the API bring files into the format of a stream (see `ads.md`).':
    'Macht Clips für Werbung: Aufträge der API bringen Dateien in das Format eines Streams (siehe `ads.md`).',
  'A server whose streams are offered here too.': 'Ein Server, dessen Streams auch hier angeboten werden.',
  'Another server of the cluster.': 'Ein anderer Server des Clusters.',
  'The gateway through which agents at cameras connect.': 'Das Tor, über das sich Agenten an Kameras verbinden.',
  'A named cache on disk for segments.': 'Ein benannter Cache auf dem Datenträger für Segmente.',
  'A named picture for the corner of streams.': 'Ein benanntes Bild für die Ecke von Streams.',
};
