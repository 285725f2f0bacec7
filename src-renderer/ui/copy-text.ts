/** Copies a text to the clipboard; false if the browser forbids it. Also works on pages without a secure origin. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

// `navigator.clipboard` exists only on https and localhost, but a server on a LAN has neither.
function copyThroughSelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // A modal traps the focus: the helper element must be inside it to be selectable.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
