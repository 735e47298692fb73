import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { createDocument } from '../../../src/server/http/api-docs/document.ts';

const document = createDocument('0.0.0-test');

describe('the OpenAPI document passes the recommended rules', () => {
  test('of Redocly', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // The operations that start and complete a sign-in only redirect.
      rules: { 'operation-2xx-response': 'off' },
    });
    const found = await lintFromString({ source: JSON.stringify(document), config });
    assert.deepEqual(
      found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
  });

  test('of Spectral', async () => {
    const linter = new spectral.Spectral();
    // Sound because it is a ruleset of the same project, whose types don't agree under exactOptionalPropertyTypes.
    const oas = rulesets.oas as unknown as RulesetDefinition;
    linter.setRuleset({ extends: [[oas, 'recommended']] });
    const found = await linter.run({ ...document });
    assert.deepEqual(
      found.map(({ code, message, path }) => [code, message, path.join('/')]),
      [],
    );
  });
});
