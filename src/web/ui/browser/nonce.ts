/** The nonce of this page, by which its policy knows the styles that the application adds. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

/** Hands the nonce to what keeps the page behind a dialog from scrolling: it looks for it where webpack would have it. */
export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
