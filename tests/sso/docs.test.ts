import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { problems } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { SsoConfigurationInput } from '#contract/sso/configuration.ts';
import { SsoMigrationInput } from '#contract/sso/migration.ts';
import { SsoPolicy } from '#contract/sso/policy.ts';
import { codesInSource } from '../support/sso/refusal-codes.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const guides = ['docs/sso-entra.md', 'docs/sso-adfs.md'] as const;

test('the guide to changing the provider has bodies that match the contract', () => {
  const bodies = [...read('docs/sso-moving-providers.md').matchAll(/-d '(\{[^']+\})'/g)];
  const [configuration, migration, ...more] = bodies.map(([, body = '']) => JSON.parse(body));
  assert.deepEqual(more, []);
  assert.ok(Compile(SsoConfigurationInput).Check(configuration));
  assert.ok(Compile(SsoMigrationInput).Check(migration));
});

describe('the guides to sign-in', () => {
  const { shared, entra } = codesInSource();

  test('explain every code that a status, a refusal or a check can have', () => {
    assert.ok(
      shared.length >= 25 && entra.length >= 15,
      `${shared.length} and ${entra.length} codes are found`,
    );
    for (const guide of guides) {
      const text = read(guide);
      const codes = guide === 'docs/sso-entra.md' ? [...shared, ...entra] : shared;
      assert.deepEqual(
        codes.filter((code) => !text.includes(`\`${code}\``)),
        [],
        guide,
      );
    }
  });

  test('only name codes that exist', () => {
    const words = [
      'access_denied',
      'invalid_client',
      'invalid_grant',
      'invalid_request',
      'offline_access',
      'unauthorized_client',
    ];
    const claims = ['preferred_username', 'xms_edov', 'email_verified'];
    const known = new Set([...shared, ...entra, ...words, ...Object.keys(problems), ...claims]);
    for (const guide of guides) {
      const named = [...read(guide).matchAll(/`([a-z]+(?:_[a-z]+)+|AADSTS\d+)`/g)].map(
        ([, code = '']) => code,
      );
      assert.deepEqual(
        named.filter((code) => !known.has(code)),
        [],
        guide,
      );
    }
  });

  test('have bodies that match the contract, and URLs that are served', () => {
    const [isConfiguration, isPolicy] = [Compile(SsoConfigurationInput), Compile(SsoPolicy)];
    for (const guide of guides) {
      const text = read(guide);
      const bodies = [...text.matchAll(/-d '(\{[^']+\})'/g)].map(([, body = '']) => JSON.parse(body));
      const configurations = bodies.filter((body) => 'provider' in body);
      const policies = bodies.filter((body) => 'requireSso' in body);
      assert.ok(configurations.length > 0 && configurations.every((body) => isConfiguration.Check(body)));
      assert.ok(policies.length === 1 && policies.every((body) => isPolicy.Check(body)));
      const served = routes.map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
      const paths = [
        ...text.matchAll(
          /(?:\$ATRIUM|atrium\.example|'|(?:GET|POST|PUT) )(\/api\/[^\s'"`?)…]+)|\$SSO(\/[^\s`?)]+)/g,
        ),
      ].map(([, path, below]) => path ?? `/api/sso/orgs/x${below}`);
      assert.ok(paths.length > 10, guide);
      // The API documentation, and the prefixes of other URLs.
      const beside = ['/api/docs', '/api/sso/orgs/$ORGANIZATION'];
      const unknown = paths.filter(
        (path) => !beside.includes(path) && !served.some((each) => each.test(path)),
      );
      assert.deepEqual(unknown, [], guide);
    }
  });
});
