/** Returns text without the characters that XML 1.0 doesn't allow. */
export const withoutInvalid = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- These are exactly the characters that XML excludes.
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '');

/** Returns text for an XML document, escaped. */
export const escapeXml = (text: string): string =>
  withoutInvalid(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
