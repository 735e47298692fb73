/** Prints only a text, without the page around it. */
export function printText(text: string): void {
  const frame = document.createElement('iframe');
  frame.title = 'Print preview';
  frame.hidden = true;
  document.body.append(frame);
  const page = frame.contentDocument;
  if (page === null || frame.contentWindow === null) return;
  const paragraph = page.createElement('pre');
  paragraph.textContent = text;
  page.body.append(paragraph);
  frame.contentWindow.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow.print();
}
