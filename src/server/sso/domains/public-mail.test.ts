import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPublicMailDomain } from './public-mail.ts';

describe('a public email domain', () => {
  test('belongs to a provider where anyone can get an address', () => {
    const domains =
      'gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk live.com msn.com yahoo.com yahoo.co.uk ' +
      'icloud.com me.com mac.com aol.com gmx.de gmx.net web.de t-online.de proton.me protonmail.com pm.me mail.ru ' +
      'yandex.ru qq.com 163.com 126.com orange.fr laposte.net libero.it naver.com zoho.com hey.com comcast.net ' +
      'fastmail.com tutanota.com tuta.io duck.com mailinator.com guerrillamail.com xn--mll-hoa.email';
    const missed = domains.split(' ').filter((domain) => !isPublicMailDomain(domain));
    assert.deepEqual(missed, []);
  });

  test('does not belong to an organization', () => {
    const domains =
      'microsoft.com google.com apple.com contoso.example contoso.onmicrosoft.com mail.contoso.example ' +
      'gmail.com.contoso.example notgmail.com bund.de ox.ac.uk xn--mller-kva.example';
    assert.deepEqual(domains.split(' ').filter(isPublicMailDomain), []);
  });
});
