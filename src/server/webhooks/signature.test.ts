import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { newSecret } from './secrets.ts';
import { signedHeaders } from './signature.ts';

const body = JSON.stringify({ type: 'webhook.test', data: { name: 'Größe' } });

test('the signature is that of the example of Standard Webhooks', () => {
  const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    nowMs: 1_614_265_330_999,
  });
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('the example of the documentation accepts what is signed, and nothing else', async () => {
  const documentation = readFileSync('docs/webhooks.md', 'utf8');
  const example = /```js\n([^]*?)```/.exec(documentation)?.[1] ?? '';
  const { isFromAtrium } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as {
    isFromAtrium(secret: string, headers: Record<string, string>, body: string): boolean;
  };
  const [one, other] = [newSecret(), newSecret()];
  const headers = signedHeaders([one, other], { id: 'id', body, nowMs: Date.now() });
  const late = signedHeaders([one], { id: 'id', body, nowMs: Date.now() - 302_000 });
  assert.deepEqual(
    [
      isFromAtrium(one, headers, body),
      isFromAtrium(other, headers, body),
      isFromAtrium(newSecret(), headers, body),
      isFromAtrium(one, headers, `${body} `),
      isFromAtrium(one, { ...headers, 'webhook-id': 'another' }, body),
      isFromAtrium(one, { ...headers, 'webhook-signature': '' }, body),
      isFromAtrium(one, late, body),
    ],
    [true, true, false, false, false, false, false],
  );
});
