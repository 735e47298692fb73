import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destinationOf } from './destination.ts';

test('the destination of a response is a host in its ASCII form, this computer or an app', () => {
  const uris = [
    'https://agent.example/callback?x=atrium.example.com',
    'https://atrium.example.com.evil.example:8443/atrium.example.com',
    'https://аtrium.example/',
    'http://127.0.0.1:40123/callback',
    'http://localhost:1/evil.example',
    'com.example.app:/callback',
  ];
  assert.deepEqual(uris.map(destinationOf), [
    'agent.example',
    'atrium.example.com.evil.example:8443',
    'xn--trium-3ve.example',
    'a program on this computer',
    'a program on this computer',
    'the app com.example.app on this device',
  ]);
});
