/** The longest name in an email, in characters. */
const maxNameLength = 64;

/**
 * Returns a name that a person chose, for an email: on one line, short, and with nothing that an email program turns into a link, a
 * header or other formatting. `otherwise` stands for a name of which nothing is left.
 */
export function nameInMail(name: string, otherwise = 'without a name'): string {
  const plain = withoutLinks(name.slice(0, 4 * maxNameLength))
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return shortened(plain, maxNameLength) || otherwise;
}

/** Returns the start of a text that a person wrote, without links, each line marked as quoted: it can't pass for what the server says. */
export const quotedInMail = (text: string, length: number): string =>
  withoutLinks(shortened(text, length)).replaceAll(/^/gm, '> ');

/** Returns the start of a text, with a mark if it is longer. */
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed().trimEnd()}…`;

/**
 * Returns a text of which email programs make no link. Allowed are letters, digits, symbols, lines, and the punctuation of sentences; a
 * period or colon only where a sentence or a number has it. Everything else becomes a space: also the full stops of other scripts,
 * which domain names may have (UTS 46), and characters that nobody sees.
 */
const withoutLinks = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[.:]/g, (mark, at: number, whole: string) => {
      const [before = '', after = ''] = [whole[at - 1], whole[at + 1]];
      const isSentence = /^[\s.:)"”’]?$/.test(after);
      return isSentence || /^\d\d$/.test(before + after) ? mark : ' ';
    })
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Sc}\p{So}\p{Sk}\n ,;!?'’‘"“”„«»()–—&+*=%#…<>_.:-]/gu, ' ');
