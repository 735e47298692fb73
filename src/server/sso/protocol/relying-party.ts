/** A certificate that is registered at a provider, and its private key. */
export interface ClientKey {
  /** PEM. */
  readonly certificate: string;
  /** PKCS #8, base64. */
  readonly privateKey: string;
}

/** This server as a relying party of an identity provider. */
export interface RelyingParty {
  /** The organization of the configuration. */
  readonly organizationId: string;
  readonly configurationId: string;
  /** Changes with every save of the configuration. */
  readonly version: number;
  readonly clientId: string;
  /** Opened when it is read, which may throw a `SignInRefusal`. Signing out does not need it. */
  readonly clientSecret: string;
  /** Opens the key of the certificate that is used instead of the secret, like that. Undefined if there is none. */
  readonly clientKey?: (() => ClientKey) | undefined;
  /**
   * Returns the token of this server's host for a token endpoint, which is sent instead of both. Throws a `SignInRefusal`, also for
   * endpoints that must not receive it. Undefined if it is not used.
   */
  readonly workloadAssertion?: ((tokenEndpoint: string | undefined) => Promise<string>) | undefined;
  readonly discoveryUrl: string;
  /** A GUID for Microsoft Entra ID; undefined for AD FS. */
  readonly tenantId: string | undefined;
  readonly redirectUri: string;
}

/** The values that bind a response of the provider to its request. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}
