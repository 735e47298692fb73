/** Passwords that many people choose, in lower case. */
export interface CommonPasswords {
  readonly all: ReadonlySet<string>;
  /** The most common of them. */
  readonly top: ReadonlySet<string>;
}

let loaded: Promise<CommonPasswords> | undefined;

/**
 * Returns about 49,000 passwords from the leaks that zxcvbn was trained on (`@zxcvbn-ts/language-common`). They are
 * loaded when someone first chooses a password, so that the server starts sooner and uses less memory.
 */
export function loadCommonPasswords(): Promise<CommonPasswords> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<CommonPasswords> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords = dictionary['passwords-common'].map(String);
  return { all: new Set(passwords), top: new Set(passwords.slice(0, 1_000)) };
}
