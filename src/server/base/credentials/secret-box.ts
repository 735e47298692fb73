import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { StartError } from '../errors.ts';

/** Encrypts secrets at rest, with a separate key for each owner: an organization, or an account. */
export interface SecretBox {
  /** Returns `v1.{key id}.{nonce}.{ciphertext and tag}`, base64url each. */
  seal(ownerId: string, purpose: string, secret: string): string;
  /**
   * Returns the secret. Throws if its root key is unknown, or if the text was sealed for another owner or
   * purpose.
   */
  open(ownerId: string, purpose: string, sealed: string): string;
  /** Whether `sealed` is encrypted with one of the root keys; if not, `open` throws. */
  hasKeyOf(sealed: string): boolean;
  /** Whether `sealed` is encrypted with the first root key, the current one. */
  isCurrent(sealed: string): boolean;
}

/**
 * Returns the sealed secret to store: the existing one if none was sent, undefined if an empty one was sent, or the new
 * one.
 */
export function nextSealed(
  secretBox: Pick<SecretBox, 'seal'>,
  ownerId: string,
  purpose: string,
  { sent, kept }: { readonly sent: string | undefined; readonly kept: string | undefined },
): string | undefined {
  if (sent === undefined) return kept;
  return sent === '' ? undefined : secretBox.seal(ownerId, purpose, sent);
}

interface RootKey {
  readonly id: string;
  readonly material: Buffer;
}

/**
 * Returns a box with `rootKeys`, texts of high entropy: the first one encrypts, all of them decrypt. AES-256-GCM (NIST
 * SP 800-38D) with a random 96-bit nonce, under a key derived per owner and purpose by HKDF-SHA256 (RFC 5869);
 * the owner's id and the purpose are the associated data too.
 */
export function createSecretBox(rootKeys: readonly [string, ...string[]]): SecretBox {
  const toRootKey = (text: string): RootKey => {
    const material = createHash('sha256').update(text).digest();
    const id = createHash('sha256').update('atrium key id').update(material).digest('base64url').slice(0, 8);
    return { id, material };
  };
  const current = toRootKey(rootKeys[0]);
  const all = new Map(rootKeys.map(toRootKey).map((key) => [key.id, key]));

  const derivedKey = (root: RootKey, context: string) =>
    Buffer.from(hkdfSync('sha256', root.material, '', `atrium secret ${context}`, 32));

  return {
    seal(ownerId, purpose, secret) {
      const context = `${ownerId}/${purpose}`;
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derivedKey(current, context), nonce).setAAD(
        Buffer.from(context),
      );
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', current.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },

    open(ownerId, purpose, sealed) {
      const context = `${ownerId}/${purpose}`;
      const [version, keyId = '', nonce = '', data = ''] = sealed.split('.');
      const root = all.get(keyId);
      if (version !== 'v1' || root === undefined) {
        throw new StartError('A stored secret is encrypted with a key that is not in ATRIUM_SECRET_KEY.');
      }
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv(
        'aes-256-gcm',
        derivedKey(root, context),
        Buffer.from(nonce, 'base64url'),
        {
          authTagLength: 16,
        },
      );
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
    },

    hasKeyOf: (sealed) => all.has(sealed.split('.', 2)[1] ?? ''),

    isCurrent: (sealed) => sealed.startsWith(`v1.${current.id}.`),
  };
}

/** Returns a secret sealed with the first root key, unchanged if it already is. Throws the errors of `open`. */
export const reseal = (secretBox: SecretBox, ownerId: string, purpose: string, sealed: string): string =>
  secretBox.isCurrent(sealed)
    ? sealed
    : secretBox.seal(ownerId, purpose, secretBox.open(ownerId, purpose, sealed));
