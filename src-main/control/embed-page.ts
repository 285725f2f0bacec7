/** What the page may load: all of it comes from this server. hls.js runs its worker from a blob. */
const POLICY =
  "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src 'self'; media-src 'self' blob:; worker-src blob:; base-uri 'none'; form-action 'none'";

/** The embeddable player page of a stream, for frames in other sites. Its script is `resources/player/embed.js`. */
export function embedPage(stream: string): string {
  const up = '../'.repeat(stream.split('/').length);
  return `<!doctype html>
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
<script defer src="${up}-/player/embed.js"></script>
</head>
<body>
<video id="video" controls playsinline></video>
<p id="message" role="status" hidden></p>
<button id="sound" type="button" hidden>Turn the sound on</button>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
