import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { PasskeyAssertion } from '#contract/accounts/passkey-assertion.ts';
import type { addPasskey as addPasskeyRoute } from '#contract/accounts/passkeys.ts';
import type { BodyOf } from '#contract/route.ts';
import { sessionCookie } from '#contract/accounts/sessions.ts';
import { insertPasskey } from '../../../src/server/accounts/passkeys/store.ts';
import { newId } from '../../../src/server/base/ids.ts';
import { newToken } from '../../../src/server/base/credentials/tokens.ts';
import type { Person, TestResponse, TestServer } from '../server/test-server.ts';

/** What a forged response says instead of the truth. */
export interface Forgery {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  readonly rpId?: string;
  /** Bit 0: user present, bit 2: user verified. */
  readonly flags?: number;
  readonly counter?: number;
  /** Undefined is left out. */
  readonly userHandle?: string | undefined;
  readonly id?: string;
  readonly privateKey?: KeyObject;
  readonly format?: string;
  readonly statement?: ReadonlyMap<string, unknown>;
}

type MadeCredential = BodyOf<typeof addPasskeyRoute>['credential'];

/** Both kinds of options, as far as authenticators read them. */
interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** A passkey in software: an ES256 key for one account, whose responses can be forged in every field. */
export class TestPasskey {
  readonly id = base64url(randomBytes(32));
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  userHandle: string | undefined;
  counter = 0;

  constructor(origin = 'http://localhost:3000') {
    this.#origin = origin;
  }

  get privateKey(): KeyObject {
    return this.#keys.privateKey;
  }

  /** Returns the body's `credential` for adding the passkey. */
  make(options: Options, forgery: Forgery = {}): MadeCredential {
    this.userHandle = options.user?.id;
    const id = forgery.id ?? this.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]);
    const idBytes = Buffer.from(id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(idBytes.length);
    const data = Buffer.concat([
      this.#authenticatorData(options, { flags: 0b1000101, ...forgery }),
      Buffer.alloc(16),
      length,
      idBytes,
      isoCBOR.encode(key),
    ]);
    const attestation = isoCBOR.encode(
      // Sound because the encoder encodes whatever these are.
      new Map<string, never>([
        ['fmt', (forgery.format ?? 'none') as never],
        ['attStmt', (forgery.statement ?? new Map()) as never],
        ['authData', Uint8Array.from(data) as never],
      ]),
    );
    return {
      id,
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, forgery),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Returns an `assertion`: what the passkey signs for a challenge. */
  sign(options: Options, forgery: Forgery = {}): PasskeyAssertion {
    const data = this.#authenticatorData(options, forgery);
    const clientDataJSON = this.#clientData('webauthn.get', options, forgery);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const userHandle = 'userHandle' in forgery ? forgery.userHandle : this.userHandle;
    return {
      id: forgery.id ?? this.id,
      response: {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', signed, forgery.privateKey ?? this.privateKey)),
        ...(userHandle !== undefined && { userHandle }),
      },
    };
  }

  #authenticatorData({ rpId, rp }: Options, forgery: Forgery): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(forgery.flags ?? 0b101);
    rest.writeUInt32BE(forgery.counter ?? this.counter, 1);
    return Buffer.concat([sha256(forgery.rpId ?? rpId ?? rp?.id ?? ''), rest]);
  }

  #clientData(type: string, { challenge }: Options, forgery: Forgery): string {
    const { crossOrigin = false, topOrigin } = forgery;
    const data = {
      type: forgery.type ?? type,
      challenge: forgery.challenge ?? challenge,
      origin: forgery.origin ?? this.#origin,
      crossOrigin,
      ...(topOrigin !== undefined && { topOrigin }),
    };
    return base64url(Buffer.from(JSON.stringify(data)));
  }
}

/** Returns the cookie of the challenge in a response, as a header sends it. */
export function challengeCookieOf({ headers, text }: TestResponse): string {
  const cookie = /(?:__Host-)?atrium\.passkey=[\w-]{43}/.exec(String(headers['set-cookie']))?.[0];
  assert.ok(cookie !== undefined, text);
  return cookie;
}

/** Returns the cookies of a person's session and of the challenge in a response. */
export const cookiesOf = (response: TestResponse, { token }: Person): { cookie: string } => ({
  cookie: `${sessionCookie}=${token}; ${challengeCookieOf(response)}`,
});

/** Sends the options for a new passkey to `make`, and what that returns to the server. */
export async function sendPasskey(
  server: TestServer,
  as: Person,
  make: (options: Options) => object,
  name = 'Laptop',
): Promise<TestResponse> {
  const started = await server.call('POST /api/auth/passkeys/options', { as });
  assert.equal(started.status, 200, started.text);
  return server.call('POST /api/auth/passkeys', {
    as,
    headers: cookiesOf(started, as),
    body: { name, credential: make(started.body) },
  });
}

/** Adds a passkey for a person with a password who has just signed in. */
export async function addPasskey(
  server: TestServer,
  as: Person,
  name = 'Laptop',
): Promise<{ passkey: TestPasskey; id: string; recoveryCodes: string[] }> {
  const passkey = new TestPasskey();
  const { status, body, text } = await sendPasskey(server, as, (options) => passkey.make(options), name);
  assert.equal(status, 200, text);
  return { passkey, id: body.passkey.id, recoveryCodes: body.recoveryCodes ?? [] };
}

/** Stores a passkey that can't sign, without the effects of adding it, such as the end of sessions. Returns its ID. */
export async function storePasskey({ database }: TestServer, { id: userId }: Person): Promise<string> {
  const id = newId();
  const passkey = {
    id,
    credentialId: newToken(),
    userId,
    userHandle: newToken(),
    host: 'localhost',
    publicKey: '',
    counter: 0,
    transports: '[]',
    name: 'Stored passkey',
    createdAt: '2026-11-21T09:00:00.000Z',
  };
  await database.write((transaction) => insertPasskey(transaction, passkey));
  return id;
}
