// `npm run language`: adds the messages that catalogs lack, with an empty translation, and removes those that no page uses.
import { allMessages, readCatalogs, writeCatalog } from './language/catalogs.ts';

const { uses, faults } = allMessages();
for (const place of faults)
  process.stderr.write(`${place}: the message of t() or rich() must be a literal text\n`);
for (const [language, catalog] of readCatalogs()) {
  const messages = Object.fromEntries(uses.map(({ message }) => [message, catalog[message] ?? '']));
  writeCatalog(language, messages);
  const missing = Object.keys(messages).filter((message) => messages[message] === '');
  process.stdout.write(`${language}: ${Object.keys(messages).length} messages\n`);
  for (const message of missing) process.stdout.write(`  not translated: ${message}\n`);
}
process.exitCode = faults.length === 0 ? 0 : 1;
