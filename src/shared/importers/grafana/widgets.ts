import type { Layout } from '../../grid/layout.ts';
import { findReferences } from './substitution.ts';
import type { Variable } from './model.ts';

/** Returns the layouts of several widgets in the place of one: side by side, or one below the other if it is narrow. */
export function divide(layout: Layout, count: number): Layout[] {
  const { x, y, w, h } = layout;
  if (w >= count * 2)
    return Array.from({ length: count }, (_, index) => {
      const start = Math.floor((w * index) / count);
      return { x: x + start, y, w: Math.floor((w * (index + 1)) / count) - start, h };
    });
  return Array.from({ length: count }, (_, index) => ({ x, y: y + index * h, w, h }));
}

/** Returns a text in which references to variables are those to filters, or the value of those that have only one. */
export function withFilterValues(text: string, variables: ReadonlyMap<string, Variable>): string {
  let result = '';
  let copied = 0;
  for (const { variable, start, end } of findReferences(text, variables)) {
    const { name, type, values } = variable;
    const isFixed = (type === 'constant' || type === 'interval') && values[0] !== undefined;
    result += text.slice(copied, start) + (isFixed ? values[0] : `{{${name}}}`);
    copied = end;
  }
  return result + text.slice(copied);
}

/** Returns the text of HTML: without tags, scripts and styles, with a line for each block. */
export function textOfHtml(html: string): string {
  // Once, since a search in a new text for each script would take quadratic time.
  const lowered = html.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  let text = '';
  let index = 0;
  while (index < html.length) {
    const start = html.indexOf('<', index);
    if (start === -1) return clean(text + html.slice(index));
    text += html.slice(index, start);
    const end = html.indexOf('>', start);
    if (end === -1) return clean(text);
    const tag = /^<\/?([a-z][a-z0-9]{0,20})/i.exec(html.slice(start, start + 24))?.[1]?.toLowerCase() ?? '';
    index = end + 1;
    if (tag === 'script' || tag === 'style') {
      const close = lowered.indexOf(`</${tag}`, index);
      if (close === -1) return clean(text);
      index = close;
    } else if (blocks.has(tag)) text += '\n';
  }
  return clean(text);
}

const blocks: ReadonlySet<string> = new Set(
  'address article br div h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(' '),
);

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

const clean = (text: string): string =>
  text
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
    .split('\n')
    .map((line) => line.trim())
    .filter((line, index, lines) => line !== '' || (lines[index - 1] ?? '') !== '')
    .join('\n')
    .trim();
