/** The embeddable player page of a stream: everything it loads comes from this server. */
export function embedPage(stream: string): string {
  const up = '../'.repeat(stream.split('/').length);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(stream)}</title>
<link rel="stylesheet" href="${up}-/player/embed.css">
</head>
<body>
<video id="video" controls playsinline autoplay muted></video>
<p id="message" role="status"></p>
<script src="${up}-/player/hls.light.min.js"></script>
<script src="${up}-/player/embed.js"></script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
