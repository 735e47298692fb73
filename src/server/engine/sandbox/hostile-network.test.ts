import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { detectSandbox } from './detect-sandbox.ts';

/** A worker of a server on the network that runs an attacker's code. Each attempt returns what it received, or the error. */
const hostileProgram = `
  import fs from 'node:fs';
  import net from 'node:net';
  import os from 'node:os';

  const receive = (target, ...bytes) =>
    new Promise((resolve) => {
      let text = '';
      const socket = net.connect(target, () => { if (bytes.length > 0) socket.write(Uint8Array.from(bytes)); });
      socket.setEncoding('utf8').on('data', (part) => (text += part));
      socket.once('error', ({ code }) => (text = code)).once('close', () => resolve(text));
    });

  process.once('message', async ({ forwarder, port, otherPort, abstract }) => {
    const results = {
      'have more than a loopback interface': Object.keys(os.networkInterfaces()).filter((name) => name !== 'lo').join(),
      'connect to its destination': await receive({ port, host: '127.0.0.1' }),
      'connect to another port': await receive({ port: otherPort, host: '127.0.0.1' }),
      'connect to an abstract socket': await receive({ path: '\\0' + abstract }),
      'ask the forwarder': await receive({ path: forwarder }, 0),
      'ask the forwarder for more than its addresses': await receive({ path: forwarder }, 1),
      'ask the forwarder for an address of its own': await receive({ path: forwarder }, ...Buffer.from('127.0.0.1:' + otherPort)),
    };
    fs.rmSync(forwarder);
    net.createServer((socket) => socket.end('itself')).listen(forwarder, async () => {
      process.send({ ...results, 'replace the socket': await receive({ path: forwarder }, 0) });
    });
  });
`;

/** Starts something that a worker might connect to. */
async function listen(context: TestContext, path?: string) {
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount += 1;
    socket.end('reached');
  });
  context.after(() => server.close());
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, connectionCount: () => connectionCount };
}

test('a worker with a destination reaches nothing else, whatever code it runs', async (context) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'atrium-hostile-'));
  context.after(() => rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 3 }));
  const temporaryDirectory = join(dataDirectory, 'query-temp');
  const sandbox = await detectSandbox({ dataDirectory, temporaryDirectory, ways: ['bubblewrap'] });
  if (sandbox.state.kind === 'none') {
    assert.notEqual(process.env['CI'], 'true', sandbox.state.reason ?? '');
    return;
  }
  const abstract = `atrium-hostile-${process.pid}`;
  const destination = await listen(context);
  const others = [await listen(context), await listen(context, `\0${abstract}`)];
  const directory = mkdtempSync(join(temporaryDirectory, 'worker-'));
  const { port } = destination;
  const view = { directory, readableFiles: [], destination: { addresses: ['127.0.0.1'], port } };
  const launch = sandbox.launch(view, ['--input-type=module', '--eval', hostileProgram]);
  const child = spawn(launch.command, launch.args, {
    ...launch.options,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  context.after(() => child.kill('SIGKILL'));
  child.send({ forwarder: launch.forwarder, port, otherPort: others[0]?.port, abstract });
  const [results] = (await once(child, 'message')) as [Record<string, string>];
  assert.deepEqual(results, {
    'have more than a loopback interface': '',
    'connect to its destination': 'ECONNREFUSED',
    'connect to another port': 'ECONNREFUSED',
    'connect to an abstract socket': 'ECONNREFUSED',
    'ask the forwarder': 'connected\nreached',
    'ask the forwarder for more than its addresses': '',
    'ask the forwarder for an address of its own': '',
    'replace the socket': 'itself',
  });
  assert.equal(destination.connectionCount(), 1);
  assert.deepEqual(
    others.map(({ connectionCount }) => connectionCount()),
    [0, 0],
  );
  const ended = once(child, 'exit');
  launch.kill(child);
  await ended;
  await launch.finish();
});
