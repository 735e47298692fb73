import { UsageError } from '../../../cli/usage/usage.ts';
import { countUnverified, verifyLogs, type VerifiedChain } from '../../log-chain/verify.ts';
import type { Command } from '../command.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  summary:
    'Checks the hash chains of the audit logs and the data-access logs, and names the first break of each.\n' +
    'The last hash of each chain can be compared with what a log server has received.\n' +
    'Entries that are not in a chain yet are counted; they do not make it fail.',
  options: [
    {
      name: 'organization',
      placeholder: 'ID',
      help: 'only this organization; all by default',
      required: false,
    },
  ],
  async run({ database }, { organization }) {
    const chains = await verifyLogs(database, organization);
    const unsealedCount = await countUnverified(database, organization);
    if (
      organization !== undefined &&
      unsealedCount === 0 &&
      chains.every(({ sequence }) => sequence === 0) &&
      chains.every(isWhole)
    )
      throw new UsageError('There is no organization with this id, or nothing of it is in a chain yet.');
    return {
      text: [
        ...(chains.length === 0 ? ['no chains'] : chains.map(toLine)),
        ...(unsealedCount === 0
          ? []
          : [
              `not verified: ${unsealedCount === 1 ? '1 entry is' : `${unsealedCount} entries are`} not in a chain yet; ` +
                'the server adds new entries within about a minute',
            ]),
      ].join('\n'),
      data: { chains, unsealedCount },
      exitCode: chains.every(isWhole) ? 0 : 1,
    };
  },
};

const isWhole = (chain: VerifiedChain): boolean => chain.break === undefined;

function toLine({
  organizationId,
  log,
  count,
  removedCount,
  sequence,
  hash,
  break: broken,
}: VerifiedChain): string {
  const name = `${organizationId} ${log}`;
  if (broken !== undefined) {
    const entry = broken.entryId === undefined ? '' : ` (${broken.entryId})`;
    return `fault: ${name}: entry ${broken.sequence}${entry}: ${broken.reason}; ${count} entries before it are intact`;
  }
  const removed = removedCount === 0 ? '' : `, ${removedCount} of them without their details`;
  return `${name}: ${count} entries are intact${removed}; the last is ${sequence}, ${hash}`;
}
