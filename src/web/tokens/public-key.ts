import type { PublicKey } from '#contract/credentials/clients.ts';
import { t } from '#shared/language/messages.ts';

/** Why a text is not a public key. */
export class PublicKeyFault extends Error {
  override readonly name = 'PublicKeyFault';
}

const members = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid'] as const;

/** How the browser reads the keys that the server accepts. */
const algorithms = [
  { name: 'ECDSA', namedCurve: 'P-256' },
  { name: 'Ed25519' },
  { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
];

/**
 * Returns the public key in a JWK or a PEM text. Throws `PublicKeyFault` if there is none, or if it is a private key, which never leaves
 * the browser.
 */
export async function readPublicKey(text: string): Promise<PublicKey> {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return publicPart(parse(trimmed));
  if (trimmed.includes('PRIVATE KEY')) throw isPrivate();
  const pem = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]{1,2000})-----END PUBLIC KEY-----$/.exec(trimmed);
  if (pem === null) throw isNone();
  return publicPart(await toJwk(pem[1] ?? ''));
}

const isPrivate = () =>
  new PublicKeyFault(t('This is a private key. Keep it secret, and paste only its public key.'));
const isNone = () => new PublicKeyFault(t('Paste a public key as a JWK or in PEM format.'));

function parse(text: string): JsonWebKey {
  try {
    // Sound because the server checks the members.
    return JSON.parse(text) as JsonWebKey;
  } catch {
    throw isNone();
  }
}

/** Returns the members that are sent. */
function publicPart(key: JsonWebKey & { readonly kid?: string }): PublicKey {
  if (key.d !== undefined || key.k !== undefined) throw isPrivate();
  const entries = members.flatMap((name) => (key[name] === undefined ? [] : [[name, key[name]]]));
  // Sound because the server checks the members.
  return Object.fromEntries(entries) as PublicKey;
}

async function toJwk(base64: string): Promise<JsonWebKey> {
  // Browsers have it only on pages that came by HTTPS or from this computer.
  if (!('subtle' in crypto)) {
    throw new PublicKeyFault(t('Over plain HTTP, the browser can’t read the PEM format. Paste a JWK.'));
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    throw isNone();
  }
  for (const algorithm of algorithms) {
    try {
      const key = await crypto.subtle.importKey('spki', bytes, algorithm, true, ['verify']);
      return await crypto.subtle.exportKey('jwk', key);
    } catch {
      // It is a key of another algorithm.
    }
  }
  throw new PublicKeyFault(t('The key must be a P-256, Ed25519 or RSA key.'));
}
