/** Characters that nobody sees, or that change the order of those around them, except for tabs and line ends. */
const hidden = /(?![\t\r\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns a text with its hidden characters named, so that nobody approves code that differs from what they see (CVE-2021-42574). */
export const visibleText = (text: string): string =>
  text.replaceAll(hidden, (character) => {
    // Sound because a match has a code point.
    const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
