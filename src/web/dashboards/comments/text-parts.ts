import { safeHref } from '#shared/links.ts';

/** A part of a comment: plain text, an address that is safe to open, or the name of a person who is mentioned. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'mention'; readonly text: string };

/** Characters that usually end a sentence rather than an address. */
const endings = new Set('.,;:!?)]}\'"»”’');

/**
 * Returns the parts of a comment in order. Addresses start with `http://` or `https://`; names are those of the people in its
 * list of mentions, after an `@`.
 */
export function textParts(text: string, names: readonly string[]): TextPart[] {
  const parts: TextPart[] = [];
  const addText = (plain: string) => parts.push(...withMentions(plain, names));
  let plain = '';
  for (const token of text.split(/(\s+)/)) {
    const start = token.search(/https?:\/\//i);
    const link = start === -1 ? undefined : linkOf(token.slice(start));
    if (link === undefined) {
      plain += token;
      continue;
    }
    addText(plain + token.slice(0, start));
    parts.push(link);
    plain = token.slice(start + link.text.length);
  }
  addText(plain);
  return parts;
}

function linkOf(text: string): Extract<TextPart, { kind: 'link' }> | undefined {
  let end = text.length;
  while (end > 0 && endings.has(text[end - 1] ?? '')) end -= 1;
  const address = text.slice(0, end);
  const href = safeHref(address);
  return href === undefined ? undefined : { kind: 'link', text: address, href };
}

function withMentions(text: string, names: readonly string[]): TextPart[] {
  const parts: TextPart[] = [];
  // The longest first, so that `@Ann Lee` isn't taken for `@Ann`.
  const tags = names.map((name) => `@${name}`).toSorted((one, other) => other.length - one.length);
  let start = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at)) {
    const tag = tags.find((each) => text.startsWith(each, at));
    if (tag === undefined) {
      at += 1;
      continue;
    }
    if (at > start) parts.push({ kind: 'text', text: text.slice(start, at) });
    parts.push({ kind: 'mention', text: tag });
    at += tag.length;
    start = at;
  }
  if (start < text.length) parts.push({ kind: 'text', text: text.slice(start) });
  return parts;
}

/** Returns the start of a name that is typed before the caret, after an `@`; undefined if none is. */
export function typedMention(text: string, caret: number): string | undefined {
  const before = text.slice(Math.max(0, caret - 60), caret);
  const at = before.lastIndexOf('@');
  if (at === -1 || (at > 0 && !/\s/.test(before[at - 1] ?? ''))) return undefined;
  const typed = before.slice(at + 1);
  return /[\n@]/.test(typed) || typed.split(' ').length > 3 ? undefined : typed;
}
