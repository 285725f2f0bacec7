/** Puts a text on the clipboard; false when the browser does not allow it. Also works where the page has no secure origin. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

// `navigator.clipboard` exists only on https and localhost; a field server on the LAN is neither.
function copyThroughSelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // A modal traps the focus: the helper must live inside it to be able to select.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
