/** The nonce of this page, by which its policy knows the styles that the application adds. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
