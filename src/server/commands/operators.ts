import { hasSecondFactor } from '../organizations/second-factors/requirement.ts';
import { listOperators, setOperator } from '../organizations/operators.ts';
import { getAccount } from './users/account.ts';
import { required } from '../../cli/usage/usage.ts';
import type { Command, CommandDependencies, Report } from './command.ts';

const email = {
  name: 'email',
  placeholder: 'ADDRESS',
  help: 'the email address of the account',
  required: true,
} as const;

export const operatorGrant: Command = {
  name: 'operator grant',
  summary:
    'Makes an account an operator, who can create organizations, see the state of the server and change its log level.',
  options: [email],
  run: ({ database }, values) => set(database, required(values, 'email'), true),
};

export const operatorRevoke: Command = {
  name: 'operator revoke',
  summary: 'Revokes the operator permission of an account.',
  options: [email],
  run: ({ database }, values) => set(database, required(values, 'email'), false),
};

export const operatorList: Command = {
  name: 'operator list',
  summary: 'Lists the operators of the server.',
  options: [],
  async run({ database }) {
    const operators = await listOperators(database);
    return {
      text: operators.length === 0 ? 'no operators' : operators.map((operator) => operator.email).join('\n'),
      data: { items: operators },
    };
  },
};

async function set(
  database: CommandDependencies['database'],
  address: string,
  isOperator: boolean,
): Promise<Report> {
  const account = await getAccount(database, address);
  await database.write((transaction) => setOperator(transaction, account.id, isOperator));
  const state = isOperator ? 'an operator' : 'no longer an operator';
  const hint =
    isOperator && !(await hasSecondFactor(database, account.id))
      ? '\nFor the server’s page, the account needs a passkey or an authenticator app, set up under Account.'
      : '';
  return {
    text: `${account.email} is ${state}${hint}`,
    data: { user: account, isOperator },
  };
}
