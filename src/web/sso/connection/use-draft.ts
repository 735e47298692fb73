import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isIdentityProvider } from '#shared/identity-providers.ts';
import { findJson, storeJson } from '../../ui/browser/stored-json.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';
import { connectionOf, type Connection } from './connection.ts';
import type { Sso } from '../queries.ts';

/** The unsaved values of the form, without the secret. */
export interface ConnectionDraft extends Connection {
  /** The first domain, until there is a configuration. */
  readonly domain: string;
  /** `yyyy-mm-dd`, or empty. */
  readonly secretExpiresOn: string;
}

export interface DraftState {
  readonly draft: ConnectionDraft;
  readonly isChanged: boolean;
  change(members: Partial<ConnectionDraft>): void;
  discard(): void;
}

/** Returns the draft, which this tab stores while people visit the directory. */
export function useDraft({ orgId, connectionId = '', configuration, policy }: Sso): DraftState {
  const { data: signedIn } = useQuery(sessionQuery);
  const key = `atrium:sso-draft:${signedIn?.user.id ?? ''}:${orgId}${connectionId}`;
  const [typed, setTyped] = useState(() => findJson(sessionStorage, key, toDraft) ?? {});
  const stored: ConnectionDraft = {
    ...connectionOf(configuration),
    domain: signedIn?.user.email.split('@')[1] ?? '',
    secretExpiresOn: policy.secretExpiresAt?.slice(0, 10) ?? '',
  };
  const draft = { ...stored, ...typed };
  return {
    draft,
    isChanged: Object.entries(stored).some(([name, value]) => draft[name as keyof ConnectionDraft] !== value),
    change(members) {
      const next = { ...typed, ...members };
      setTyped(next);
      storeJson(sessionStorage, key, next);
    },
    discard() {
      setTyped({});
      sessionStorage.removeItem(key);
    },
  };
}

const texts = ['tenantId', 'clientId', 'discoveryUrl', 'domain', 'secretExpiresOn'] as const;

function toDraft(value: unknown): Partial<ConnectionDraft> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const read = value as Readonly<Record<string, unknown>>;
  const { kind } = read;
  return {
    ...(isIdentityProvider(kind) && { kind }),
    ...Object.fromEntries(
      texts.flatMap((name) => (typeof read[name] === 'string' ? [[name, read[name]]] : [])),
    ),
  };
}
