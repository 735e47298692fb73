/** A configuration as the protocol needs it: this server as a relying party of an identity provider. */
export interface RelyingParty {
  readonly configurationId: string;
  /** Changes with every write of the configuration. */
  readonly version: number;
  readonly clientId: string;
  /** Opened when it is read, which may throw a `SignInRefusal`: signing out takes none. */
  readonly clientSecret: string;
  readonly discoveryUrl: string;
  /** A GUID for Microsoft Entra ID; undefined for AD FS. */
  readonly tenantId: string | undefined;
  readonly redirectUri: string;
}

/** What binds an answer of the provider to the request before it. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}
