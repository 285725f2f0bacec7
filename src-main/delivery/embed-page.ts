/** A page with its Content-Security-Policy. */
export interface EmbedPage {
  readonly html: string;
  readonly policy: string;
}

/** Sources that the page may load: all are on this server. hls.js runs its worker from a blob. */
const POLICY =
  "default-src 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'; connect-src 'self'; media-src 'self' blob:; worker-src blob:; base-uri 'none'; form-action 'none'";

/**
 * Embeddable player page of a stream, for frames in other sites. Its scripts are `embed-texts.js` and `embed.js` in
 * `resources/player`.
 * @param domains hosts whose pages may embed it, besides those of this server; empty for all
 * @param isArchive true with a bar for seeking in the archive: `resources/player/embed-archive.js`
 */
export function embedPage(stream: string, domains: readonly string[], isArchive = false): EmbedPage {
  const up = '../'.repeat(stream.split('/').length);
  // Domains with characters that could break out of the header are left out.
  const hosts = domains.filter((domain) => /^(?:\*\.)?[a-z0-9.-]+$/i.test(domain));
  const ancestors = domains.length === 0 ? '*' : ["'self'", ...hosts].join(' ');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>${escapeHtml(stream)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}-/player/embed.css">
<script defer src="${up}-/player/hls.min.js"></script>
<script defer src="${up}-/player/live-distance.js"></script>
<script defer src="${up}-/player/embed-texts.js"></script>
<script defer src="${up}-/player/embed.js"></script>
${isArchive ? `<script defer src="${up}-/player/embed-archive.js"></script>\n` : ''}</head>
<body>
<video id="video" playsinline></video>
<img id="stills" alt="" hidden>
<p id="message" role="status" hidden></p>
<p id="missing" hidden></p>
<div id="bar">
${isArchive ? ARCHIVE : ''}<button id="play" type="button" aria-label="Play"></button>
<button id="live" type="button" title="Go to the live picture" hidden><b>LIVE</b> <span id="behind"></span></button>
${isArchive ? '<span id="time"></span>\n' : ''}<span class="space"></span>
${isArchive ? RANGE : ''}<button id="mute" type="button" aria-label="Sound off"></button>
<input id="volume" type="range" min="0" max="1" step="0.05" value="1" aria-label="Volume">
<button id="full" type="button" aria-label="Full screen"></button>
</div>
<button id="sound" type="button" hidden>Turn the sound on</button>
</body>
</html>
`;
  return { html, policy: `${POLICY}; frame-ancestors ${ancestors}` };
}

/** Bar of the archive, above the controls. */
const ARCHIVE = `<div id="archive">
<div id="recorded" role="slider" tabindex="0" aria-label="Time of the archive">
<div id="ranges"></div>
<span id="pointed" hidden></span>
<span id="head" hidden></span>
</div>
<div id="labels" aria-hidden="true"></div>
<div id="hover" aria-hidden="true" hidden><i hidden></i><b></b></div>
</div>
`;
/** Range of the archive bar, among the controls. */
const RANGE = `<span id="view">
<button id="earlier" type="button" aria-label="Earlier">‹</button>
<select id="span" aria-label="Time that the bar shows"></select>
<button id="later" type="button" aria-label="Later">›</button>
</span>
`;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
