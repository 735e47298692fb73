/** The nonce with which the page's content security policy allows the styles that the application adds. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

/** Sets the nonce where `react-remove-scroll`, which locks scrolling behind a dialog, looks for it: in webpack's variable. */
export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
