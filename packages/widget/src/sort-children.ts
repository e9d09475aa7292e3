/** Keeps a form out of the label's slot; tells whether that slot then has a text. */
export function sortChildren(element: Element): boolean {
  let hasText = false;
  for (const node of element.childNodes) {
    if (node instanceof Element) {
      if (!node.slot && node.matches('form, :has(form)')) node.slot = 'form';
      hasText ||= !node.slot;
    } else if (node instanceof Text && node.data.trim()) hasText = true;
  }
  return hasText;
}
