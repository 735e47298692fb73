import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import type { Clock } from '../../../src/server/base/clock.ts';
import { foundOrganization } from '../../../src/server/organizations/organizations.ts';
import { createUser } from '../../../src/server/organizations/users.ts';
import { atEndOf, type Owner } from '../../support/endings.ts';
import { openTestDatabase, type Engine, type TestDatabase } from '../../support/server/test-server.ts';

export const issuer = 'https://oidc.cluster.example/';
export const subject = 'system:serviceaccount:default:atrium';
export const audience = 'api://AzureADTokenExchange';

/** A host that issues tokens to the server, and a database with organizations that the operator has named. */
export interface Host {
  readonly opened: TestDatabase;
  readonly organizationIds: readonly string[];
  readonly tokenFile: string;
  /** The settings of the server about the token. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the tokens are signed with. */
  readonly publicKey: CryptoKey;
  /** Replaces the token, which expires in an hour, as Kubernetes does. Returns it. */
  renewToken(clock: Clock, claims?: JWTPayload): Promise<string>;
  /** Replaces the content of the file. */
  writeFile(content: string): void;
}

export async function startHost(owner: Owner, engine: Engine, namedCount: number): Promise<Host> {
  const opened = await openTestDatabase(engine);
  const organizationIds = await opened.database.write(async (transaction) => {
    const operator = await createUser(transaction, Date.now, {
      email: 'operator@example.com',
      name: 'Operator',
      passwordHash: null,
    });
    const founded = [];
    for (let count = 0; count < namedCount; count += 1)
      founded.push(await foundOrganization(transaction, Date.now, operator.id, 'Organization'));
    return founded.map(({ id }) => id);
  });
  const directory = mkdtempSync(join(tmpdir(), 'atrium-workload-'));
  atEndOf(owner, () => rmSync(directory, { recursive: true, force: true }));
  const tokenFile = join(directory, 'token');
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const writeFile = (content: string) => {
    writeFileSync(`${tokenFile}.new`, content);
    renameSync(`${tokenFile}.new`, tokenFile);
  };
  return {
    opened,
    organizationIds,
    tokenFile,
    environment: {
      ATRIUM_WORKLOAD_TOKEN_FILE: tokenFile,
      ATRIUM_WORKLOAD_ORGANIZATIONS: organizationIds.join(','),
    },
    publicKey,
    writeFile,
    renewToken: async (clock, claims = {}) => {
      const now = Math.floor(clock() / 1_000);
      const token = await new SignJWT({
        iss: issuer,
        sub: subject,
        aud: [audience],
        iat: now,
        exp: now + 3_600,
        jti: crypto.randomUUID(),
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: 'key of the host' })
        .sign(privateKey);
      writeFile(`${token}\n`);
      return token;
    },
  };
}
